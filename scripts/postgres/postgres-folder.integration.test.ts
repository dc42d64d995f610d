import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect } from 'vitest';
import type { EmbeddedPostgres } from '#scripts/postgres/embedded-postgres.ts';
import { findPostgresFolder, preparePostgresFolder } from '#scripts/postgres/postgres-folder.ts';
import { findInstallation } from '#scripts/postgres/postgres-installation.ts';
import { type Postmaster, runningPostmaster } from '#scripts/postgres/postmaster.ts';
import { stopAbandonedPostgres } from '#scripts/postgres/running-postgres.ts';
import { isAlive, signal, until } from '#scripts/tools/processes.ts';
import { queryPostgres } from '#test/database/query-postgres.ts';
import { test } from '#test/fixtures/closed-folder-test.ts';

describe.skipIf(process.getuid?.() !== 0)('as root, in a folder closed to others (needs root)', () => {
  test('stores its data in a separate folder, and finds it again', async ({ home, start }) => {
    const first = await start();
    await query(first, 'create table kept as select 7 as id');
    await first.stop();
    expect(first.folder).not.toBe(home);
    expect(await findPostgresFolder(home)).toBe(first.folder);
    expect(existsSync(join(home, 'cluster'))).toBe(false);
    expect((await stat(first.folder)).mode & 0o777).toBe(0o700);
    expect(await stat(dirname(first.folder))).toMatchObject({ uid: 0, mode: 0o40711 });

    const second = await start();
    expect(second.folder).toBe(first.folder);
    expect(await query(second, 'select id from kept')).toBe(7);
    await second.stop();
    expect(await postmasterOf(second)).toBeUndefined();
  });

  test('adopts a running server, and recovers from one that was killed', async ({ start }) => {
    const first = await start();
    const second = await start();
    expect(second.port).toBe(first.port);
    const killed = (await postmasterOf(second))?.pid ?? 0;
    expect(killed).toBeGreaterThan(0);
    signal(killed, 'SIGKILL');
    await until(() => !isAlive(killed), 60_000);
    const third = await start();
    expect(await query(third, 'select id from kept')).toBe(7);
  });

  test('can be stopped after its owner was killed', async ({ home, start }) => {
    const left = await start();
    await stopAbandonedPostgres(home);
    expect(await postmasterOf(left)).toBeUndefined();
  });

  test('starts empty after the home was removed', async ({ home, start }) => {
    const old = await start();
    const postmaster = await postmasterOf(old);
    await rm(home, { recursive: true });
    const postgres = await start();
    expect(isAlive(postmaster?.pid ?? process.pid)).toBe(false);
    expect(await query(postgres, "select to_regclass('kept')")).toBeNull();
    await postgres.stop();
  });

  test('explains what to do when a home was closed, and keeps its data', async ({ start }) => {
    const open = await mkdtemp(join(tmpdir(), 'open-'));
    try {
      await chmod(open, 0o755);
      const before = await start(join(open, 'database'));
      await query(before, 'create table kept as select 8 as id');
      expect(before.folder).toBe(join(open, 'database'));
      await before.stop();
      await chmod(open, 0o700);
      await expect(start(join(open, 'database'))).rejects.toThrow(`allow it again (chmod o+x ${open})`);
      await chmod(open, 0o755);
      const after = await start(join(open, 'database'));
      expect(await query(after, 'select id from kept')).toBe(8);
      await after.stop();
    } finally {
      await rm(open, { recursive: true });
    }
  });

  test('names the closed folder when there is no other place', async ({ closed }) => {
    const without = join(closed, 'without');
    await mkdir(without);
    const outside = join(closed, 'outside');
    const preparing = preparePostgresFolder(without, await findInstallation(), outside);
    await expect(preparing).rejects.toThrow(`that user cannot enter ${closed}`);
    expect(existsSync(outside)).toBe(false);
  });
});

async function postmasterOf(postgres: EmbeddedPostgres): Promise<Postmaster | undefined> {
  return await runningPostmaster(join(postgres.folder, 'cluster'));
}

const query = (postgres: EmbeddedPostgres, statement: string) =>
  queryPostgres(postgres.url('postgres'), statement);
