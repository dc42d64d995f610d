import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { FELL_SHORT, PASSED } from '#bench/drills/judge.ts';
import { signal } from '#scripts/tools/processes.ts';
import { projectDir } from '#scripts/tools/project.ts';

// npm run drill -- [name] [arguments]: a fault or an attack against the real processes, with figures; without a name all of
// them, one after the other, and a table of what passed and what fell short. All traffic goes to loopback.

const MINUTE_MS = 60_000;
/** Each in a process of its own, which is ended with all that it started when it takes longer than this. */
const DRILLS: Record<string, number> = {
  kills: 10 * MINUTE_MS,
  database: 6 * MINUTE_MS,
  'server-kill': 6 * MINUTE_MS,
  'disk-full': 6 * MINUTE_MS,
  receivers: 6 * MINUTE_MS,
  'slow-clients': 6 * MINUTE_MS,
  backup: 6 * MINUTE_MS,
  pgbouncer: 6 * MINUTE_MS,
  // It may have to build the screens first.
  attacks: 20 * MINUTE_MS,
};

type Outcome = { name: string; passed: number; short: string[]; seconds: number };

const [chosen, ...args] = process.argv.slice(2);
if (chosen !== undefined && !(chosen in DRILLS)) {
  console.error(`There is no drill "${chosen}". Name one of: ${Object.keys(DRILLS).join(', ')}.`);
  process.exit(1);
}
let running: ChildProcess | undefined;
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.once(name, () => {
    if (running) endAll(running);
    process.exit(1);
  });
}
const outcomes: Outcome[] = [];
for (const name of chosen === undefined ? Object.keys(DRILLS) : [chosen]) outcomes.push(await run(name));
if (outcomes.length > 1) printTable();
if (outcomes.some(({ short }) => short.length > 0)) process.exitCode = 1;

async function run(name: string): Promise<Outcome> {
  console.log(`\n${name}`);
  const started = performance.now();
  // A group of its own, so that what it started ends with it.
  const child = spawn(process.execPath, [`bench/drills/${name}.ts`, ...args], {
    cwd: projectDir,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running = child;
  let passed = 0;
  const short: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    console.log(line);
    if (line.startsWith(`  ${PASSED}`)) passed += 1;
    if (line.startsWith(`  ${FELL_SHORT}`)) short.push(line.trim());
  });
  const limit = setTimeout(() => {
    short.push(`It did not end within ${(DRILLS[name] ?? 0) / MINUTE_MS} minutes.`);
    endAll(child);
  }, DRILLS[name]);
  const [code] = await once(child, 'close');
  clearTimeout(limit);
  running = undefined;
  if (code !== 0 && short.length === 0) short.push(`It ended with ${code}.`);
  return { name, passed, short, seconds: (performance.now() - started) / 1_000 };
}

function endAll({ pid }: ChildProcess): void {
  if (pid !== undefined) signal(-pid, 'SIGKILL');
}

function printTable(): void {
  console.log(`\n${'drill'.padEnd(14)}${'passed'.padStart(8)}${'fell short'.padStart(12)}${'s'.padStart(7)}`);
  for (const { name, passed, short, seconds } of outcomes) {
    const columns = [`${passed}`.padStart(8), `${short.length}`.padStart(12), seconds.toFixed(0).padStart(7)];
    console.log(`${name.padEnd(14)}${columns.join('')}`);
    for (const each of short) console.log(`    ${each}`);
  }
}
