import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#scripts/embedded-postgres.ts';
import { findPostgresBinaries } from '#scripts/postgres-binaries.ts';
import { choosePlace } from '#scripts/postgres-place.ts';
import { dataFolderIn, sweepShelters } from '#scripts/postgres-shelter.ts';
import { type Postmaster, runningPostmaster } from '#scripts/postmaster-pid.ts';
import { isAlive, signal, until } from '#scripts/processes.ts';
import { stopAbandonedPostgres } from '#scripts/stop-abandoned-postgres.ts';
import { askPostgres } from '#test/ask-postgres.ts';

describe.skipIf(process.getuid?.() !== 0)('as root, in a folder closed to others (needs root)', () => {
  let closed: string;
  let home: string;
  const start = (dataDir = home) =>
    startEmbeddedPostgres({ dataDir, settings: { fsync: 'off', max_connections: 20 } });
  const ask = (postgres: EmbeddedPostgres, statement: string) =>
    askPostgres(postgres.url('postgres'), statement);

  beforeAll(async () => {
    // Made with mode 0700: the user postgres cannot enter.
    closed = await mkdtemp(join(tmpdir(), 'closed-'));
    home = join(closed, 'database');
  });

  afterAll(async () => {
    await rm(closed, { recursive: true, force: true });
    await sweepShelters();
  });

  it('starts in a shelter, and again with the same data', async () => {
    const first = await start();
    await ask(first, 'create table kept as select 7 as id');
    await first.stop();
    expect(first.movedTo).toBeDefined();
    expect(existsSync(join(home, 'cluster'))).toBe(false);
    expect((await stat(dataFolderIn(first.movedTo ?? ''))).mode & 0o777).toBe(0o700);

    const second = await start();
    expect(second.movedTo).toBe(first.movedTo);
    expect(await ask(second, 'select id from kept')).toBe(7);
    await second.stop();
    expect(await postmasterOf(second)).toBeUndefined();
  });

  it('adopts a server that was left running, and recovers from one that was killed', async () => {
    const first = await start();
    const second = await start();
    expect(second.port).toBe(first.port);
    const killed = (await postmasterOf(second))?.pid ?? 0;
    expect(killed).toBeGreaterThan(0);
    signal(killed, 'SIGKILL');
    await until(() => !isAlive(killed), 5_000);
    const third = await start();
    expect(await ask(third, 'select id from kept')).toBe(7);
  });

  it('is stopped from outside when its owner was killed', async () => {
    const left = await start();
    await stopAbandonedPostgres(home);
    expect(await postmasterOf(left)).toBeUndefined();
  });

  it('begins anew when the home was removed, and leaves nothing of the old place', async () => {
    const old = await start();
    const postmaster = await postmasterOf(old);
    await rm(home, { recursive: true });
    const postgres = await start();
    expect(existsSync(old.movedTo ?? closed)).toBe(false);
    expect(isAlive(postmaster?.pid ?? process.pid)).toBe(false);
    expect(await ask(postgres, "select to_regclass('kept')")).toBeNull();
    await postgres.stop();
  });

  it('takes data along from a home that was open before', async () => {
    const open = await mkdtemp(join(tmpdir(), 'open-'));
    try {
      await chmod(open, 0o755);
      const before = await start(join(open, 'database'));
      await ask(before, 'create table kept as select 8 as id');
      expect(before.movedTo).toBeUndefined();
      await before.stop();
      await chmod(open, 0o700);
      const after = await start(join(open, 'database'));
      expect(after.movedTo).toBeDefined();
      expect(await ask(after, 'select id from kept')).toBe(8);
      await after.stop();
    } finally {
      await rm(open, { recursive: true });
    }
  });

  it('names the folder in the way when there is no other place either', async () => {
    const without = join(closed, 'without');
    await mkdir(without);
    const choosing = choosePlace(without, await findPostgresBinaries(), [closed]);
    await expect(choosing).rejects.toThrow(`who cannot enter ${closed}: allow it (chmod o+x ${closed})`);
    expect(existsSync(join(without, 'moved-to'))).toBe(false);
  });
});

async function postmasterOf(postgres: EmbeddedPostgres): Promise<Postmaster | undefined> {
  return await runningPostmaster(join(dataFolderIn(postgres.movedTo ?? ''), 'cluster'));
}
