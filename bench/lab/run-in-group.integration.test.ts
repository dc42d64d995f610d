import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isAlive, signal } from '#scripts/tools/processes.ts';
import { projectDir, projectPath } from '#server/core/project.ts';
import { until } from '#test/fixtures/until.ts';

// What benchmarks and drills start must not outlive them, however they end.

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'group-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs a program of these lines, and resolves with the process numbers that it prints as its first line. */
async function runProgram(lines: string[]): Promise<{ program: ChildProcess; pids: number[] }> {
  const program = spawn(process.execPath, ['--input-type=module', '-e', lines.join('\n')], {
    cwd: projectDir,
    env: { ...process.env, DATA_DIR: join(folder, 'data') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const input = createInterface({ input: program.stdout });
  const pids = await new Promise<number[]>((resolve, reject) => {
    input.once('line', (line) => resolve(line.split(' ').map(Number)));
    program.once('exit', (code) => reject(new Error(`It ended with ${code}.`)));
  });
  return { program, pids };
}

/** A program that does not end when it is asked to, starts another one, and runs in a group; its runner prints both. */
async function runGroup() {
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
  return runProgram([
    `import { endGroupsOnSignals, startGroup } from '#bench/lab/run-in-group.ts';`,
    'endGroupsOnSignals();',
    `startGroup(${JSON.stringify(inner)}, [], 'inherit');`,
  ]);
}

test.each(['SIGTERM', 'SIGINT', 'SIGKILL'] as const)(
  'a runner that is ended by %s takes along its program and all that this one started',
  async (name) => {
    const { program, pids } = await runGroup();
    expect(pids.map(isAlive)).toEqual([true, true]);
    program.kill(name);
    try {
      await until('both are gone', () => !pids.some(isAlive));
    } finally {
      for (const pid of pids) signal(pid, 'SIGKILL');
    }
  },
);

test('a benchmark that is killed leaves no PostgreSQL behind', async () => {
  const { program, pids } = await runProgram([
    `import { startLabPostgres } from '#bench/lab/lab-postgres.ts';`,
    `import { runningPostmaster } from '#scripts/postgres/postmaster.ts';`,
    `const postgres = await startLabPostgres({}, ${JSON.stringify(projectPath('.data', 'test-postgres-killed-lab'))});`,
    'const postmaster = await runningPostmaster(postgres.folder + "/cluster");',
    'console.log(postmaster.pid);',
    'setInterval(() => {}, 1000);',
  ]);
  expect(pids.map(isAlive)).toEqual([true]);
  program.kill('SIGKILL');
  await until('PostgreSQL has ended', () => !pids.some(isAlive));
});
