import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BENCHMARKS, chosenBenchmarks, expectedMinutes, ROUNDS } from '#bench/benchmarks.ts';
import { endGroup, endGroupsOnSignals, startGroup } from '#bench/lab/run-in-group.ts';
import { describeRun, summarize } from '#bench/summary.ts';
import { dataDirOf } from '#server/core/project.ts';

// npm run bench -- [name] [rounds]: runs one benchmark, or all, each with its floors. Prints a table for
// each, a summary, and the same as JSON.

const [chosen, rounds] = process.argv.slice(2);
if (chosen !== undefined && !(chosen in BENCHMARKS)) {
  console.error(`There is no benchmark "${chosen}". Name one of: ${Object.keys(BENCHMARKS).join(', ')}.`);
  process.exit(1);
}
endGroupsOnSignals();
const names = chosenBenchmarks(chosen);
const most = rounds === undefined ? '' : ` (with the usual rounds, not ${rounds})`;
console.log(
  `${names.join(', ')}: about ${expectedMinutes(names)} minutes on a quiet machine with two cores${most}.`,
);
const json = process.env.BENCH_JSON ?? join(dataDirOf(process.env), 'bench.jsonl');
const run = await describeRun();
await mkdir(dirname(json), { recursive: true });
await writeFile(json, `${JSON.stringify(run)}\n`);
console.log(JSON.stringify(run, null, 2));
process.env.BENCH_JSON = json;
const broken: string[] = [];
for (const name of names) {
  const began = performance.now();
  // Each in a separate process, so that a failed benchmark does not affect the others.
  const child = startGroup('bench/programs/run-benchmark.ts', [name, `${rounds ?? ROUNDS}`], 'inherit');
  const [code] = await once(child, 'exit');
  endGroup(child);
  if (code !== 0) broken.push(name);
  console.log(`\n${name} took ${((performance.now() - began) / 60_000).toFixed(1)} minutes.`);
}
console.log(await summarize(json));
console.log(`As JSON lines: ${json}`);
if (broken.length > 0) {
  console.error(`Failed: ${broken.join(', ')}.`);
  process.exitCode = 1;
}
