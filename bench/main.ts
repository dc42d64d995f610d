import { benchCommit } from './commit.ts';

// npm run bench -- <name> [rounds]: one benchmark of the engine beside its floor. A table, and the same as JSON.
const BENCHMARKS: Record<string, (rounds: number) => Promise<void>> = { commit: benchCommit };

const [name = '', rounds = '5'] = process.argv.slice(2);
const run = BENCHMARKS[name];
if (!run) {
  console.error(`Name one of: ${Object.keys(BENCHMARKS).join(', ')}.`);
  process.exit(1);
}
await run(Number(rounds));
