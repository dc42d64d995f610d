import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isLocked, type Lock, lock } from '#scripts/start/lock.ts';
import { projectPath } from '#server/core/project.ts';

let folder: string;
let locks: Lock[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lock-'));
  locks = [];
});

afterEach(async () => {
  for (const each of locks) each.release();
  await rm(folder, { recursive: true, force: true });
});

async function take() {
  const taken = await lock(folder);
  if ('release' in taken) locks.push(taken);
  return taken;
}

/** Starts a process that locks the folder. */
async function holder(afterwards = ''): Promise<ChildProcess> {
  const program = `const { lock } = await import(${JSON.stringify(projectPath('scripts/start/lock.ts'))});
    await lock(${JSON.stringify(folder)}); ${afterwards} process.send('locked'); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--expose-gc', '--input-type=module', '-e', program], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  return child;
}

it('belongs to one owner at a time', async () => {
  const first = await take();
  expect(await take()).toEqual({ heldBy: process.pid });
  if ('release' in first) first.release();
  expect(await take()).toHaveProperty('release');
});

it('names the process that has it, and is free at once when that is killed', async () => {
  const child = await holder();
  expect(await take()).toEqual({ heldBy: child.pid });
  expect(isLocked(folder)).toBe(true);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(isLocked(folder)).toBe(false);
  expect(await take()).toHaveProperty('release');
});

it('never goes to two of many who come at once', async () => {
  const all = await Promise.all(Array.from({ length: 12 }, take));
  expect(all.filter((each) => 'release' in each).length).toBeLessThanOrEqual(1);
});

it('is another one for another folder', async () => {
  await take();
  const other = await mkdtemp(join(tmpdir(), 'lock-'));
  const second = await lock(other);
  expect(second).toHaveProperty('release');
  if ('release' in second) second.release();
  await rm(other, { recursive: true });
});

it('is free where a killed owner left its files, also when a living process has its number by now', async () => {
  const child = await holder();
  child.kill('SIGKILL');
  await once(child, 'exit');
  await writeFile(join(folder, 'lock-owner'), String(process.ppid));
  expect(isLocked(folder)).toBe(false);
  expect(await take()).toHaveProperty('release');
  expect(await take()).toEqual({ heldBy: process.pid });
});

it('outlives the garbage collection of its owner', async () => {
  const child = await holder(
    'for (let i = 0; i < 3; i += 1) { globalThis.gc(); await new Promise(setImmediate); }',
  );
  expect(isLocked(folder)).toBe(true);
  child.kill('SIGKILL');
  await once(child, 'exit');
});

it('of a folder that is not there is not held', async () => {
  expect(isLocked(join(folder, 'nothing'))).toBe(false);
});
