import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { isAlive } from '#scripts/tools/processes.ts';
import { projectDir } from '#server/core/project.ts';
import { until } from '#test/fixtures/until.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'load-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
let program: ChildProcess | undefined;
afterEach(() => void program?.kill('SIGKILL'));

/** Starts a program that runs stages under load. Resolves with the process ids of the loops. */
async function run(stages: string): Promise<number[]> {
  const lines = [`import { runStages, stageOf } from '#scripts/check/run-plan.ts';`, stages];
  const started = spawn(process.execPath, ['--input-type=module', '-e', lines.join('\n')], {
    cwd: projectDir,
    // `runStages` stops abandoned test databases in the data folder, which must not include this run's.
    env: { ...process.env, DATA_DIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  program = started;
  const input = createInterface({ input: started.stdout });
  return new Promise<number[]>((resolve, reject) => {
    input.on('line', (line) => {
      const pids = /^Beside \d+ busy loops: processes (.+)\.$/.exec(line)?.[1];
      if (pids) resolve(pids.split(', ').map(Number));
    });
    started.once('exit', (code) => reject(new Error(`The program exited with ${code} and named no loops.`)));
  });
}

const HANGING = `
  const hang = (signal) => new Promise((_, reject) => signal.addEventListener('abort', reject));
  await runStages([stageOf('Hangs', hang)], { besideLoad: true });`;

test('there is a low-priority loop for each core', async () => {
  const pids = await run(HANGING);
  expect(pids).toHaveLength(availableParallelism());
  for (const pid of pids) expect(getPriority(pid)).toBe(10);
});

test.each(['SIGTERM', 'SIGKILL'] as const)(
  'a run that is ended by %s leaves no loop behind',
  async (name) => {
    const pids = await run(HANGING);
    expect(pids.map(isAlive)).not.toContain(false);
    program?.kill(name);
    await until('the loops are gone', () => !pids.some(isAlive));
  },
);

test('a completed run leaves no loop behind', async () => {
  const pids = await run(`await runStages([stageOf('Nothing', async () => {})], { besideLoad: true });`);
  await until('the loops are gone', () => !pids.some(isAlive));
});
