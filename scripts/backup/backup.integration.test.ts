import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { describe, expect, onTestFinished } from 'vitest';
import { readManifest } from '#scripts/backup/manifest.ts';
import { restoreBackup, verifyBackup } from '#scripts/backup/restore-backup.ts';
import { takeBackup } from '#scripts/backup/take-backup.ts';
import { pool } from '#server/core/database/pools.ts';
import { closeDatabase, db } from '#server/core/database/prisma.ts';
import { fileStore, openFile } from '#server/inbox/files/file-store.ts';
import { PG_DUMP } from '#test/database/client-postgres.ts';
import { queryPostgres } from '#test/database/query-postgres.ts';
import { fingerprints, linkedFile, test } from '#test/fixtures/backup-test.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { until } from '#test/fixtures/until.ts';
import { setTestSettings } from '#test/servers/settings.ts';
import { startWorker } from '#worker/start-worker.ts';

describe.skipIf(PG_DUMP === undefined)('a backup', () => {
  test('is restored with equal rows and files, as an installation that nobody has used', async ({
    installations,
    folder,
  }) => {
    await installations.create();
    const connection = await makeConnection();
    await makeConversation(connection);
    const inStore = await linkedFile(connection, 'from the store');
    const inDatabase = await linkedFile(connection, 'from the database', 'database');
    const before = await fingerprints();
    const backup = await takeBackup({ to: folder, keep: 14, parallel: 2 });
    const manifest = await readManifest(backup);
    expect(manifest.storedFiles).toEqual([inStore]);
    expect(manifest.rows['public.users']).toBe(1);

    await installations.create();
    await restoreBackup(backup, { parallel: 2, say: () => undefined });
    const { 'public.held_work': _, ...rest } = await fingerprints();
    expect({ ...rest, 'public.held_work': before['public.held_work'] }).toEqual(before);
    expect(await text(await openFile(inStore))).toBe('from the store');
    expect(await text(await openFile(inDatabase))).toBe('from the database');
  });

  test('is restored by a role that is no superuser while autovacuum runs, and not beside a session of another role', async ({
    installations,
    folder,
  }) => {
    await installations.create();
    await makeConversation(await makeConnection());
    const backup = await takeBackup({ to: folder, keep: 14, parallel: 1 });
    const { url } = await installations.create({ isMigrated: false });
    const plain = await ownerWithoutSuperuser(url);
    await keepAutovacuumBusy(url);
    const hasHidden = `select count(*) > 0 from pg_stat_activity where datname = current_database() and backend_type is null`;
    await until('autovacuum runs', async () => (await queryPostgres(plain, hasHidden)) === true);
    await closeDatabase();
    setTestSettings({ DATABASE_URL: plain });
    const restore = () => restoreBackup(backup, { parallel: 2, say: () => undefined });
    const other = new Client({ connectionString: url });
    await other.connect();
    await expect(restore()).rejects.toThrow('Other sessions use the database');
    await other.end();
    await restore();
    expect(await db().conversation.count()).toBe(1);
  });

  test('has one state of the database, although changes go on', async ({ installations, folder }) => {
    await installations.create();
    const connection = await makeConnection();
    const writing = { isOn: true, conversations: 0 };
    const writers = [1, 2, 3].map(async () => {
      while (writing.isOn) {
        await makeConversation(connection);
        await linkedFile(connection, `file ${writing.conversations}`);
        writing.conversations += 1;
      }
    });
    await until('changes are made', () => writing.conversations > 20);
    const backup = await takeBackup({ to: folder, keep: 14, parallel: 4 });
    const madeDuring = writing.conversations;
    await until('changes go on', () => writing.conversations > madeDuring);
    writing.isOn = false;
    await Promise.all(writers);
    const all = await contents();

    await installations.create({ isMigrated: false });
    const manifest = await restoreBackup(backup, { parallel: 4, say: () => undefined });
    const restored = await contents();
    expect(restored.length).toBe(manifest.rows['public.messages']);
    expect(restored.length).toBeGreaterThan(20);
    expect(restored.length).toBeLessThan(all.length);
    expect(all).toEqual(expect.arrayContaining(restored));
    const linked = await db().storedFile.findMany({ where: { expiresAt: null } });
    for (const { id, sizeBytes } of linked)
      expect(await text(await openFile(id))).toHaveLength(sizeBytes ?? -1);
    expect(linked.length).toBeGreaterThan(20);
  });

  test('is not restored over an installation in use, or beside a running process', async ({
    installations,
    folder,
  }) => {
    await installations.create();
    await makeConnection();
    const backup = await takeBackup({ to: folder, keep: 14, parallel: 1 });
    await closeDatabase();
    const before = await fingerprints();
    await closeDatabase();
    const restore = () => restoreBackup(backup, { parallel: 1, say: () => undefined });
    await expect(restore()).rejects.toThrow(
      /^The database backup_\w+ is not empty\. A restore never overwrites/,
    );
    expect(await fingerprints()).toEqual(before);

    const { url } = await installations.create();
    const process = new Client({ connectionString: url, application_name: 'a worker' });
    await process.connect();
    await expect(restore()).rejects.toThrow('Other sessions use the database (a worker): stop all servers');
    await process.end();
  });

  test('that is damaged is refused with the name of the file, and changes nothing', async ({
    installations,
    folder,
  }) => {
    await installations.create();
    const connection = await makeConnection();
    const file = await linkedFile(connection, 'one');
    const backup = await takeBackup({ to: folder, keep: 14, parallel: 1 });
    const path = `files/${file.slice(-2)}/${file}`;
    await writeFile(join(backup, path), 'onf');
    await installations.create();
    const refusal = `${path} has another checksum`;
    await expect(verifyBackup(backup)).rejects.toThrow(refusal);
    await expect(restoreBackup(backup, { parallel: 1, say: () => undefined })).rejects.toThrow(refusal);
    expect(await db().user.count()).toBe(0);
  });

  test('names a file of a message that is missing in the store', async ({ installations, folder }) => {
    await installations.create();
    const file = await linkedFile(await makeConnection(), 'one');
    await (await fileStore('s3')).remove([file]);
    await expect(takeBackup({ to: folder, keep: 14, parallel: 1 })).rejects.toThrow(
      `The file ${file} in the S3 store cannot be copied`,
    );
    expect((await readdir(folder)).filter((name) => !name.endsWith('.unfinished'))).toEqual([]);
  });

  test('of the newest 14 stays, and a broken one is removed by the next', async ({
    installations,
    folder,
  }) => {
    await installations.create();
    const take = (day: number) =>
      takeBackup({ to: folder, keep: 2, parallel: 1 }, new Date(Date.UTC(2026, 0, day)));
    await writeFile(join(folder, 'notes.txt'), 'of an operator');
    await take(1);
    await take(2);
    await take(3);
    expect((await readdir(folder)).toSorted()).toEqual([
      '2026-01-02T00-00-00Z',
      '2026-01-03T00-00-00Z',
      'notes.txt',
    ]);
  });

  test('is not taken twice at the same time', async ({ installations, folder }) => {
    const { url } = await installations.create();
    const other = new Client({ connectionString: url });
    await other.connect();
    await other.query(`select pg_advisory_lock(hashtextextended('backup', 0))`);
    await expect(takeBackup({ to: folder, keep: 14, parallel: 1 })).rejects.toThrow(
      'Another backup of this database is running',
    );
    await other.end();
  });

  test('that is stopped leaves no process and no complete folder', async ({ installations, folder }) => {
    await installations.create();
    const stop = new AbortController();
    const taken = takeBackup({ to: folder, keep: 14, parallel: 1, signal: stop.signal });
    await until('it has begun', async () => (await readdir(folder)).length === 1);
    stop.abort();
    await expect(taken).rejects.toThrow();
    expect(await readdir(folder)).toEqual([expect.stringMatching(/\.unfinished$/)]);
    const others = `select count(*)::int from pg_stat_activity where application_name = 'pg_dump' and datname = current_database()`;
    await until('pg_dump is gone', async () => (await pool().query(others)).rows[0]?.count === 0);
  });

  test('ends with its pg_dump when its own session is lost', async ({ installations, folder }) => {
    const { url } = await installations.create();
    const other = new Client({ connectionString: url });
    await other.connect();
    // Only pg_dump waits for it: rows are counted by partition.
    await other.query('begin; lock table only events in access exclusive mode');
    const taken = takeBackup({ to: folder, keep: 14, parallel: 1 }).then(
      () => 'complete',
      () => 'failed',
    );
    const lose = `select pg_terminate_backend(pid) from pg_stat_activity
      where state = 'idle in transaction' and query like '%count(*)%from public.workspaces'`;
    await until('all rows are counted', async () => (await pool().query(lose)).rowCount === 1);
    expect(await Promise.race([taken, sleep(120_000, 'waiting')])).toBe('failed');
    await other.end();
  });

  test('of a newer version is refused', async ({ installations, folder }) => {
    const { url } = await installations.create();
    await queryPostgres(
      url,
      `insert into _prisma_migrations (id, checksum, migration_name, finished_at) values ('1', '', '29991231000000_later', now())`,
    );
    const backup = await takeBackup({ to: folder, keep: 14, parallel: 1 });
    await expect(restoreBackup(backup, { parallel: 1, say: () => undefined })).rejects.toThrow(
      'whose migration 29991231000000_later this version does not have',
    );
  });

  test('is not ready for a worker before its last step', async ({ installations }) => {
    const { url } = await installations.create();
    await queryPostgres(url, 'delete from _prisma_migrations');
    await expect(startWorker()).rejects.toThrow(/migrations are not applied: run npm run db:migrate first/);
  });
});

/** Messages with their files, as texts. */
async function contents(): Promise<string[]> {
  const { rows } = await pool().query<{ row: string }>(
    `select m::text || coalesce(a::text, '') as row from messages m left join attachments a on a.message_id = m.id`,
  );
  return rows.map(({ row }) => row);
}

/** Makes a role without superuser the owner of a database. Returns the URL for it. */
async function ownerWithoutSuperuser(url: string): Promise<string> {
  const plain = new URL(url);
  const database = plain.pathname.slice(1);
  Object.assign(plain, { username: `owner_of_${database}`, password: 'secret' });
  await queryPostgres(url, `create role ${plain.username} login nosuperuser password 'secret'`);
  await queryPostgres(url, `alter database ${database} owner to ${plain.username}`);
  return plain.href;
}

/** Creates a table that autovacuum processes slowly, outside the schemas of the product. */
async function keepAutovacuumBusy(url: string): Promise<void> {
  await queryPostgres(url, 'create schema busy');
  await queryPostgres(
    url,
    `create table busy.rows with (autovacuum_vacuum_insert_threshold = 0, autovacuum_vacuum_insert_scale_factor = 0,
       autovacuum_vacuum_cost_delay = 100, autovacuum_vacuum_cost_limit = 1)
     as select repeat('x', 1000) as content from generate_series(1, 5000)`,
  );
  onTestFinished(async () => void (await queryPostgres(url, 'drop schema busy cascade')));
}
