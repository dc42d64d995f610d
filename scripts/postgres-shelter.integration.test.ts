import { existsSync } from 'node:fs';
import { chmod, chown, cp, mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findShelter, makeShelter, sweepShelters } from '#scripts/postgres-shelter.ts';

describe.skipIf(process.getuid?.() !== 0)('a shelter (needs root)', () => {
  let parent: string;
  let home: string;
  let shelter: string;

  beforeAll(async () => {
    parent = await mkdtemp(join(tmpdir(), 'shelters-'));
    await chmod(parent, 0o755);
    home = join(parent, 'home');
    await mkdir(home);
    shelter = await makeShelter(home, parent);
  });

  afterAll(() => rm(parent, { recursive: true, force: true }));

  it('belongs to root, and lets others pass to the data but not look around', async () => {
    expect(await stat(shelter)).toMatchObject({ uid: 0, mode: 0o40711 });
  });

  it('stays with the original of a project that was copied', async () => {
    const copy = join(parent, 'copy');
    await cp(home, copy, { recursive: true });
    expect(await findShelter(copy)).toBeUndefined();
    expect(await findShelter(home)).toBe(shelter);
    await rm(copy, { recursive: true });
  });

  it('comes along with a project that was moved', async () => {
    const moved = join(parent, 'moved');
    await rename(home, moved);
    expect(await findShelter(moved)).toBe(shelter);
    await sweepShelters([parent]);
    expect(existsSync(shelter)).toBe(true);
    await rename(moved, home);
    expect(await findShelter(home)).toBe(shelter);
  });

  it('is swept away when its home is gone', async () => {
    await rm(home, { recursive: true });
    await sweepShelters([parent]);
    expect(existsSync(shelter)).toBe(false);
  });

  it('is only what root has made and marked', async () => {
    const folders = ['unmarked', 'foreign', 'elsewhere', 'left'];
    const [unmarked = '', foreign = '', elsewhere = '', left = ''] = folders.map((name) =>
      join(parent, `inbox-pg-${name}`),
    );
    for (const folder of [unmarked, foreign, elsewhere, left]) await mkdir(folder);
    const marker = { home: join(parent, 'gone'), host: hostname() };
    for (const folder of [foreign, left]) await writeFile(join(folder, 'moved-from'), JSON.stringify(marker));
    await writeFile(join(elsewhere, 'moved-from'), JSON.stringify({ ...marker, host: 'another' }));
    await chown(foreign, 65_534, 65_534);
    await sweepShelters([parent]);
    expect([unmarked, foreign, elsewhere, left].map(existsSync)).toEqual([true, true, true, false]);
  });
});
