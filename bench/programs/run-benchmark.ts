import { BENCHMARKS } from '#bench/benchmarks.ts';

// Runs one benchmark, started by bench/main.ts in a separate process group. Arguments: name and rounds.
const [name = '', rounds] = process.argv.slice(2);
const benchmark = BENCHMARKS[name];
if (!benchmark) throw new Error(`There is no benchmark "${name}".`);
const run = await benchmark.load();
await run(Number(rounds));
