import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isLocked, type Lock, lock } from '#scripts/start/lock.ts';
import { projectPath } from '#scripts/tools/project.ts';

let folder: string;
let locks: Lock[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lock-'));
  locks = [];
});

afterEach(async () => {
  for (const each of locks) await each.release();
  await rm(folder, { recursive: true, force: true });
});

async function take() {
  const taken = await lock(folder);
  if ('release' in taken) locks.push(taken);
  return taken;
}

/** Another process that locks the folder and keeps it. */
async function holder(): Promise<ChildProcess> {
  const program = `const { lock } = await import(${JSON.stringify(projectPath('scripts/start/lock.ts'))});
    await lock(${JSON.stringify(folder)}); process.send('locked'); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  return child;
}

it('belongs to one owner at a time', async () => {
  const first = await take();
  expect(await take()).toEqual({ heldBy: process.pid });
  if ('release' in first) await first.release();
  expect(await take()).toHaveProperty('release');
});

it('names the process that has it, and is free at once when that is killed', async () => {
  const child = await holder();
  expect(await take()).toEqual({ heldBy: child.pid });
  expect(await isLocked(folder)).toBe(true);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await isLocked(folder)).toBe(false);
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
  if ('release' in second) await second.release();
  await rm(other, { recursive: true });
});

it('is found where a foreign program has its first port and says nothing', async () => {
  const first = await take();
  if (!('release' in first)) throw new Error('The folder should have been free.');
  const { port } = first;
  await first.release();
  const foreign = createServer().listen(port, '127.0.0.1');
  await once(foreign, 'listening');
  try {
    const second = await take();
    expect(second).toHaveProperty('release');
    expect(second).not.toHaveProperty('port', port);
    expect(await take()).toEqual({ heldBy: process.pid });
  } finally {
    foreign.close();
  }
});

it('of a folder that is not there is not held', async () => {
  expect(await isLocked(join(folder, 'nothing'))).toBe(false);
});
