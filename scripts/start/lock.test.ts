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

it('has one owner at a time', async () => {
  const first = await take();
  expect(await take()).toEqual({ heldBy: process.pid });
  if ('release' in first) first.release();
  expect(await take()).toHaveProperty('release');
});

it('names the owning process, and is free immediately when that is killed', async () => {
  const child = await holder();
  expect(await take()).toEqual({ heldBy: child.pid });
  expect(isLocked(folder)).toBe(true);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(isLocked(folder)).toBe(false);
  expect(await take()).toHaveProperty('release');
});

it('is never given to two of many parallel processes', async () => {
  const all = await Promise.all(Array.from({ length: 12 }, take));
  expect(all.filter((each) => 'release' in each).length).toBeLessThanOrEqual(1);
});

it('differs between folders', async () => {
  await take();
  const other = await mkdtemp(join(tmpdir(), 'lock-'));
  const second = await lock(other);
  expect(second).toHaveProperty('release');
  if ('release' in second) second.release();
  await rm(other, { recursive: true });
});

it('is free when its owner was killed, even if another process has the same id now', async () => {
  const child = await holder();
  child.kill('SIGKILL');
  await once(child, 'exit');
  await writeFile(join(folder, 'lock-owner'), String(process.ppid));
  expect(isLocked(folder)).toBe(false);
  expect(await take()).toHaveProperty('release');
  expect(await take()).toEqual({ heldBy: process.pid });
});

it('survives garbage collection in its owner', async () => {
  const child = await holder(
    'for (let i = 0; i < 3; i += 1) { globalThis.gc(); await new Promise(setImmediate); }',
  );
  expect(isLocked(folder)).toBe(true);
  child.kill('SIGKILL');
  await once(child, 'exit');
});

it('is not held for a missing folder', async () => {
  expect(isLocked(join(folder, 'nothing'))).toBe(false);
});

async function take() {
  const taken = await lock(folder);
  if ('release' in taken) locks.push(taken);
  return taken;
}

async function holder(afterwards = ''): Promise<ChildProcess> {
  const program = `const { lock } = await import(${JSON.stringify(projectPath('scripts/start/lock.ts'))});
    await lock(${JSON.stringify(folder)}); ${afterwards} process.send('locked'); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--expose-gc', '--input-type=module', '-e', program], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  return child;
}
