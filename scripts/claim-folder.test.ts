import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { claimFolder, findOwner } from '#scripts/claim-folder.ts';
import { parseRunRecord, type RunRecord } from '#scripts/run-record.ts';

let folder: string;
const dead = { name: 'npm start', pid: 2 ** 30, identity: 'long ago' };

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'claim-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

it('belongs to one process at a time', async () => {
  const claim = await claimFolder(folder, 'first');
  expect(await claimFolder(folder, 'second')).toMatchObject({ heldBy: { name: 'first', pid: process.pid } });
  if ('release' in claim) await claim.release();
  expect(await claimFolder(folder, 'second')).toHaveProperty('release');
});

it('is taken over from a process that was killed, with what that left running', async () => {
  const children = [{ name: 'worker', pid: 2 ** 30, identity: 'long ago' }];
  await leave({ token: 'old', owner: dead, children });
  expect(await claimFolder(folder, 'next')).toMatchObject({ leftovers: children });
  expect(await readdir(folder)).toHaveLength(1);
});

it('is taken over from a process whose number belongs to another one by now', async () => {
  await leave({ token: 'old', owner: { ...dead, pid: process.pid }, children: [] });
  expect(await findOwner(folder)).toBeUndefined();
  expect(await claimFolder(folder, 'next')).toHaveProperty('release');
});

it('is taken over when its record is damaged', async () => {
  await writeFile(join(folder, 'run-old.json'), '{"token":');
  expect(await claimFolder(folder, 'next')).toMatchObject({ leftovers: [] });
});

it('never goes to two of many who come at once', async () => {
  await leave({ token: 'old', owner: dead, children: [] });
  const claims = await Promise.all(Array.from({ length: 12 }, (_, index) => claimFolder(folder, `${index}`)));
  expect(claims.filter((claim) => 'release' in claim).length).toBeLessThanOrEqual(1);
});

it('records the processes that belong to the run', async () => {
  const claim = await claimFolder(folder, 'run');
  if ('heldBy' in claim) throw new Error('The folder should have been free.');
  await claim.record([dead]);
  const [name = ''] = await readdir(folder);
  expect(parseRunRecord(await readFile(join(folder, name), 'utf8'))?.children).toEqual([dead]);
});

async function leave(record: RunRecord): Promise<void> {
  await writeFile(join(folder, `run-${record.token}.json`), JSON.stringify(record));
}
