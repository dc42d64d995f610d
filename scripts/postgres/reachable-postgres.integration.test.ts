import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findInstallation, programIn } from '#scripts/postgres/postgres-installation.ts';
import { type Account, choosePostgresUser } from '#scripts/postgres/postgres-user.ts';
import { makePrivateFolder, reachablePostgres } from '#scripts/postgres/reachable-postgres.ts';

describe.skipIf(process.getuid?.() !== 0)('programs out of reach of their user (needs root)', () => {
  let base: string;
  let folder: string;
  let user: Account;
  let closed: string;

  beforeAll(async () => {
    base = await mkdtemp(join(tmpdir(), 'programs-'));
    await chmod(base, 0o755);
    user = await choosePostgresUser([]);
    folder = join(base, 'data');
    await makePrivateFolder(folder, user);
    await mkdir(join(base, 'closed'), { mode: 0o700 });
    closed = join(base, 'closed', 'native');
    await cp(await findInstallation(), closed, { recursive: true, verbatimSymlinks: true });
    await writeFile(join(base, 'closed', 'package.json'), '{ "version": "1.2.3" }');
  });

  afterAll(() => rm(base, { recursive: true, force: true }));

  it('are copied once per version', async () => {
    const copy = await reachablePostgres(closed, user, folder);
    expect(copy).toBe(join(folder, 'programs-1.2.3'));
    expect(existsSync(programIn(copy ?? '', 'postgres'))).toBe(true);
    const proof = join(folder, 'programs-1.2.3', 'proof');
    await writeFile(proof, '');
    expect(await reachablePostgres(closed, user, folder)).toBe(copy);
    expect(existsSync(proof)).toBe(true);
  });

  it('are copied again when the copy is damaged', async () => {
    await writeFile(join(folder, 'programs-1.2.3', 'bin', 'postgres'), '');
    const proof = join(folder, 'programs-1.2.3', 'proof');
    expect(await reachablePostgres(closed, user, folder)).toBeDefined();
    expect(existsSync(proof)).toBe(false);
  });

  it('replace the copy of an earlier version', async () => {
    await writeFile(join(base, 'closed', 'package.json'), '{ "version": "1.2.4" }');
    const copy = await reachablePostgres(closed, user, folder);
    expect(copy).toBe(join(folder, 'programs-1.2.4'));
    expect(existsSync(join(folder, 'programs-1.2.3'))).toBe(false);
  });

  it('are not used where they do not run', async () => {
    await writeFile(programIn(closed, 'postgres'), '');
    await rm(join(folder, 'programs-1.2.4'), { recursive: true });
    expect(await reachablePostgres(closed, user, folder)).toBeUndefined();
    expect(existsSync(join(folder, 'programs-1.2.4'))).toBe(false);
  });
});
