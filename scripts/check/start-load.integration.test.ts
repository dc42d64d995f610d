import { type ChildProcess, spawn } from 'node:child_process';
import { availableParallelism, getPriority } from 'node:os';
import { createInterface } from 'node:readline';
import { expect } from 'vitest';
import { isAlive } from '#scripts/tools/processes.ts';
import { projectDir } from '#server/core/project.ts';
import { test as folderTest } from '#test/fixtures/folder-test.ts';
import { until } from '#test/fixtures/until.ts';

const test = folderTest.extend('run', ({ folder }, { onCleanup }) => runner(folder, onCleanup));

test('there is a low-priority loop for each core', async ({ run }) => {
  const { pids } = await run(RUN_HANGING);
  expect(pids).toHaveLength(availableParallelism());
  for (const pid of pids) expect(getPriority(pid)).toBe(10);
});

test.for(['SIGTERM', 'SIGKILL'] as const)(
  'a run that is ended by %s leaves no loop behind',
  async (name, { run }) => {
    const { program, pids } = await run(RUN_HANGING);
    expect(pids.map(isAlive)).not.toContain(false);
    program.kill(name);
    await until('the loops are gone', () => !pids.some(isAlive));
  },
);

test('a completed run leaves no loop behind', async ({ run }) => {
  const { pids } = await run(`await runStages([stageOf('Nothing', async () => {})], { besideLoad: true });`);
  await until('the loops are gone', () => !pids.some(isAlive));
});

const RUN_HANGING = `
  const hang = (signal) => new Promise((_, reject) => signal.addEventListener('abort', reject));
  await runStages([stageOf('Hangs', hang)], { besideLoad: true });`;

/**
 * Returns a function that starts a program which runs stages under load. It resolves with the program and the process
 * ids of the loops.
 */
function runner(dataDir: string, onCleanup: (end: () => void) => void) {
  return async (stages: string): Promise<{ program: ChildProcess; pids: number[] }> => {
    const lines = [`import { runStages, stageOf } from '#scripts/check/run-plan.ts';`, stages];
    const program = spawn(process.execPath, ['--input-type=module', '-e', lines.join('\n')], {
      cwd: projectDir,
      // `runStages` stops abandoned test databases in the data folder, which must not include this run's.
      env: { ...process.env, DATA_DIR: dataDir },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onCleanup(() => void program.kill('SIGKILL'));
    const input = createInterface({ input: program.stdout });
    const pids = await new Promise<number[]>((resolve, reject) => {
      input.on('line', (line) => {
        const listed = /^Beside \d+ busy loops: processes (.+)\.$/.exec(line)?.[1];
        if (listed) resolve(listed.split(', ').map(Number));
      });
      program.once('exit', (code) =>
        reject(new Error(`The program exited with ${code} and named no loops.`)),
      );
    });
    return { program, pids };
  };
}
