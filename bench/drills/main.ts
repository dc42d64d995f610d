import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { FELL_SHORT, NOT_RUN, PASSED } from '#bench/drills/judge.ts';
import { endGroup, endGroupsOnSignals, startGroup } from '#bench/lab/run-in-group.ts';
import { dataDirOf } from '#server/core/project.ts';

// npm run drill -- [name] [arguments]: runs a fault or an attack against the real processes and prints
// figures. Without a name runs all drills in turn and prints a table of passed and failed checks. All traffic
// stays on this machine. `DRILL_JSON` is the file for the same results as JSON.

type Drill = {
  minutes: number;
  atMost: number;
  /** A fault test that is the drill at a larger size. Other drills are programs in this folder. */
  test?: string;
};

/**
 * Expected and maximum duration of each drill on an idle machine with two cores, in minutes. Each drill runs
 * in a separate process group, which is killed with all processes it started.
 */
const DRILLS: Record<string, Drill> = {
  kills: { minutes: 2, atMost: 10, test: 'worker/killed-worker.integration.test.ts' },
  database: { minutes: 3, atMost: 10, test: 'bench/drills/database.integration.test.ts' },
  'server-kill': { minutes: 2.5, atMost: 10 },
  'disk-full': { minutes: 1.5, atMost: 10 },
  receivers: { minutes: 3, atMost: 12 },
  'slow-clients': { minutes: 2, atMost: 10 },
  backup: { minutes: 1, atMost: 10 },
  archive: { minutes: 1, atMost: 10 },
  pgbouncer: { minutes: 1.5, atMost: 10 },
  // The first run installs and builds the last release.
  upgrade: { minutes: 2, atMost: 20 },
  // Thirty failovers; `--times 1` runs three, and three behind a pooler.
  failover: { minutes: 25, atMost: 90 },
  // Nine faults and pressures of three queues; `--only burst` runs one.
  recovery: { minutes: 25, atMost: 60 },
  mail: { minutes: 5, atMost: 15 },
  // May have to build the screens first.
  attacks: { minutes: 5, atMost: 20 },
  pages: { minutes: 3, atMost: 20 },
  // Builds an image; the first run also builds the base images.
  container: { minutes: 10, atMost: 60 },
};
const MINUTE_MS = 60_000;
const JSON_FILE = process.env.DRILL_JSON ?? join(dataDirOf(process.env), 'drill.json');

type Outcome = {
  name: string;
  passed: string[];
  short: string[];
  /** Sentences about what could not be run on this machine. */
  notRun: string[];
  figures: string[];
  seconds: number;
  load: number;
};

const [chosen, ...args] = process.argv.slice(2);
if (chosen !== undefined && !(chosen in DRILLS)) {
  console.error(`There is no drill "${chosen}". Name one of: ${Object.keys(DRILLS).join(', ')}.`);
  process.exit(1);
}
endGroupsOnSignals();
const names = chosen === undefined ? Object.keys(DRILLS) : [chosen];
const expected = names.reduce((sum, name) => sum + (DRILLS[name]?.minutes ?? 0), 0);
console.log(`${names.join(', ')}: about ${expected} minutes on a quiet machine with two cores.`);
const outcomes: Outcome[] = [];
for (const name of names) {
  outcomes.push(await run(name));
  // After each drill, so that an interrupted run still has the earlier figures.
  await writeJson();
}
printTable();
console.log(`As JSON: ${JSON_FILE}`);
// A drill that was asked for by its name must have run.
const isIncomplete = chosen !== undefined && outcomes.some(({ notRun }) => notRun.length > 0);
if (isIncomplete || outcomes.some(({ short }) => short.length > 0)) process.exitCode = 1;

async function run(name: string): Promise<Outcome> {
  console.log(`\n${name}`);
  const started = performance.now();
  const { atMost = 0, test } = DRILLS[name] ?? {};
  const child = test
    ? startGroup('bench/drills/run-test.ts', [test], 'pipe')
    : startGroup(`bench/drills/${name}.ts`, args, 'pipe');
  const lines: Pick<Outcome, 'passed' | 'short' | 'notRun' | 'figures'> = {
    passed: [],
    short: [],
    notRun: [],
    figures: [],
  };
  if (child.stdout) {
    createInterface({ input: child.stdout }).on('line', (line) => {
      console.log(line);
      if (line.startsWith(`  ${PASSED}`)) lines.passed.push(line.trim());
      else if (line.startsWith(`  ${FELL_SHORT}`)) lines.short.push(line.trim());
      else if (line.startsWith(`  ${NOT_RUN}`)) lines.notRun.push(line.trim());
      else if (/^(?: {2}|figures: )/.test(line)) lines.figures.push(line.trim());
    });
  }
  const limit = setTimeout(() => {
    lines.short.push(`It did not finish within ${atMost} minutes.`);
    endGroup(child);
  }, atMost * MINUTE_MS);
  const [code] = await once(child, 'close');
  clearTimeout(limit);
  // Kill processes that a failed drill left running.
  endGroup(child);
  if (code !== 0 && lines.short.length === 0) lines.short.push(`It exited with ${code}.`);
  const [load = 0] = loadavg();
  return { name, ...lines, seconds: Math.round((performance.now() - started) / 1_000), load };
}

async function writeJson(): Promise<void> {
  await mkdir(dirname(JSON_FILE), { recursive: true });
  const machine = { node: process.version, cores: cpus().length, platform: process.platform };
  await writeFile(JSON_FILE, `${JSON.stringify({ ...machine, drills: outcomes }, null, 2)}\n`);
}

function printTable(): void {
  const columns = (name: string, ...rest: string[]) =>
    `${name.padEnd(14)}${rest.map((each, place) => each.padStart([8, 12, 7, 7][place] ?? 0)).join('')}`;
  console.log(`\n${columns('drill', 'passed', 'fell short', 's', 'load')}`);
  for (const { name, passed, short, notRun, seconds, load } of outcomes) {
    console.log(columns(name, `${passed.length}`, `${short.length}`, `${seconds}`, load.toFixed(1)));
    for (const each of [...short, ...notRun]) console.log(`    ${each}`);
  }
  const total = outcomes.reduce((sum, { seconds }) => sum + seconds, 0);
  const count = (kind: 'passed' | 'short') => outcomes.reduce((sum, each) => sum + each[kind].length, 0);
  console.log(columns('all', `${count('passed')}`, `${count('short')}`, `${total}`));
}
