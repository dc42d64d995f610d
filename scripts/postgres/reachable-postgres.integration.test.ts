import { existsSync } from 'node:fs';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { findInstallation, programIn } from '#scripts/postgres/postgres-installation.ts';
import { type Account, choosePostgresUser } from '#scripts/postgres/postgres-user.ts';
import { makePrivateFolder, reachablePostgres } from '#scripts/postgres/reachable-postgres.ts';
import { test as folderTest } from '#test/fixtures/folder-test.ts';

const test = folderTest.extend('programs', { scope: 'file' }, ({ folder }) => copyPrograms(folder));

describe.skipIf(process.getuid?.() !== 0)('programs out of reach of their user (needs root)', () => {
  test('are copied once per version', async ({ programs }) => {
    const { folder, user, closed } = programs;
    const copy = await reachablePostgres(closed, user, folder);
    expect(copy).toBe(join(folder, 'programs-1.2.3'));
    expect(existsSync(programIn(copy ?? '', 'postgres'))).toBe(true);
    const proof = join(folder, 'programs-1.2.3', 'proof');
    await writeFile(proof, '');
    expect(await reachablePostgres(closed, user, folder)).toBe(copy);
    expect(existsSync(proof)).toBe(true);
  });

  test('are copied again when the copy is damaged', async ({ programs }) => {
    const { folder, user, closed } = programs;
    await writeFile(join(folder, 'programs-1.2.3', 'bin', 'postgres'), '');
    const proof = join(folder, 'programs-1.2.3', 'proof');
    expect(await reachablePostgres(closed, user, folder)).toBeDefined();
    expect(existsSync(proof)).toBe(false);
  });

  test('replace the copy of an earlier version', async ({ programs }) => {
    const { folder, user, closed, manifest } = programs;
    await writeFile(manifest, '{ "version": "1.2.4" }');
    const copy = await reachablePostgres(closed, user, folder);
    expect(copy).toBe(join(folder, 'programs-1.2.4'));
    expect(existsSync(join(folder, 'programs-1.2.3'))).toBe(false);
  });

  test('are not used where they do not run', async ({ programs }) => {
    const { folder, user, closed } = programs;
    await writeFile(programIn(closed, 'postgres'), '');
    await rm(join(folder, 'programs-1.2.4'), { recursive: true });
    expect(await reachablePostgres(closed, user, folder)).toBeUndefined();
    expect(existsSync(join(folder, 'programs-1.2.4'))).toBe(false);
  });
});

/** Copies PostgreSQL to a folder that only root can enter, and creates a data folder of PostgreSQL's user. */
async function copyPrograms(
  base: string,
): Promise<{ folder: string; user: Account; closed: string; manifest: string }> {
  const user = await choosePostgresUser([]);
  const folder = join(base, 'data');
  await makePrivateFolder(folder, user);
  await mkdir(join(base, 'closed'), { mode: 0o700 });
  const closed = join(base, 'closed', 'native');
  await cp(await findInstallation(), closed, { recursive: true, verbatimSymlinks: true });
  const manifest = join(base, 'closed', 'package.json');
  await writeFile(manifest, '{ "version": "1.2.3" }');
  return { folder, user, closed, manifest };
}
