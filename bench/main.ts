import { once } from 'node:events';
import { BENCHMARKS, expectedMinutes, ROUNDS, SHORTER } from '#bench/benchmarks.ts';
import { endGroup, endGroupsOnSignals, startGroup } from '#bench/run-in-group.ts';

// npm run bench -- [name] [rounds]: benchmarks beside their floors, one or all. A table of each, and the same as JSON.

const [chosen, rounds] = process.argv.slice(2);
if (chosen !== undefined && !(chosen in BENCHMARKS)) {
  console.error(`There is no benchmark "${chosen}". Name one of: ${Object.keys(BENCHMARKS).join(', ')}.`);
  process.exit(1);
}
endGroupsOnSignals();
const names = chosen === undefined ? Object.keys(BENCHMARKS) : [chosen];
if (chosen === undefined) for (const [key, value] of Object.entries(SHORTER)) process.env[key] ??= value;
const most = rounds === undefined ? '' : ` (with the usual rounds, not ${rounds})`;
console.log(
  `${names.join(', ')}: some ${expectedMinutes(chosen)} minutes on a quiet machine with two cores${most}.`,
);
const broken: string[] = [];
for (const name of names) {
  const began = performance.now();
  const usual = chosen === undefined ? BENCHMARKS[name]?.rounds : undefined;
  // Each in a process of its own, so that one that breaks off leaves the others alone.
  const child = startGroup(
    'bench/programs/run-benchmark.ts',
    [name, `${rounds ?? usual ?? ROUNDS}`],
    'inherit',
  );
  const [code] = await once(child, 'exit');
  endGroup(child);
  if (code !== 0) broken.push(name);
  console.log(`\n${name} took ${((performance.now() - began) / 60_000).toFixed(1)} minutes.`);
}
if (broken.length > 0) {
  console.error(`Broke off: ${broken.join(', ')}.`);
  process.exitCode = 1;
}
