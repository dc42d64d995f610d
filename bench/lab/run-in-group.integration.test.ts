import { type ChildProcess, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'vitest';
import { isAlive, signal } from '#scripts/tools/processes.ts';
import { projectDir, projectPath } from '#server/core/project.ts';
import { test } from '#test/fixtures/folder-test.ts';
import { until } from '#test/fixtures/until.ts';

test.for(['SIGTERM', 'SIGINT', 'SIGKILL'] as const)(
  'when %s ends a runner, its program and that program’s children end too',
  async (name, { folder }) => {
    const { program, pids } = await runGroup(folder);
    expect(pids.map(isAlive)).toEqual([true, true]);
    program.kill(name);
    try {
      await until('both processes have exited', () => !pids.some(isAlive));
    } finally {
      for (const pid of pids) signal(pid, 'SIGKILL');
    }
  },
);

test('killing a benchmark also stops its PostgreSQL', async ({ folder }) => {
  const { program, pids } = await runProgram(folder, [
    `import { startLabPostgres } from '#bench/lab/lab-postgres.ts';`,
    `import { runningPostmaster } from '#scripts/postgres/postmaster.ts';`,
    `const postgres = await startLabPostgres({}, ${JSON.stringify(projectPath('.data', 'test-postgres-killed-lab'))});`,
    'const postmaster = await runningPostmaster(postgres.folder + "/cluster");',
    'console.log(postmaster.pid);',
    'setInterval(() => {}, 1000);',
  ]);
  expect(pids.map(isAlive)).toEqual([true]);
  program.kill('SIGKILL');
  await until('PostgreSQL has exited', () => !pids.some(isAlive));
});

/** Runs a program with these lines, and resolves with the process ids in its first line of output. */
async function runProgram(
  folder: string,
  lines: string[],
): Promise<{ program: ChildProcess; pids: number[] }> {
  const program = spawn(process.execPath, ['--input-type=module', '-e', lines.join('\n')], {
    cwd: projectDir,
    env: { ...process.env, DATA_DIR: join(folder, 'data') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const input = createInterface({ input: program.stdout });
  const pids = await new Promise<number[]>((resolve, reject) => {
    input.once('line', (line) => resolve(line.split(' ').map(Number)));
    program.once('exit', (code) => reject(new Error(`It exited with ${code}.`)));
  });
  return { program, pids };
}

/**
 * Starts a group whose program ignores SIGTERM and starts another program. The runner prints both process
 * ids.
 */
async function runGroup(folder: string) {
  const inner = join(folder, 'inner.mjs');
  await writeFile(
    inner,
    [
      `import { spawn } from 'node:child_process';`,
      `process.on('SIGTERM', () => {});`,
      `const { pid } = spawn('sleep', ['600'], { stdio: 'ignore' });`,
      `console.log(process.pid, pid);`,
      `setInterval(() => {}, 1000);`,
    ].join('\n'),
  );
  return runProgram(folder, [
    `import { endGroupsOnSignals, startGroup } from '#bench/lab/run-in-group.ts';`,
    'endGroupsOnSignals();',
    `startGroup(${JSON.stringify(inner)}, [], 'inherit');`,
  ]);
}
