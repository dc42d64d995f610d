import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { expect, test as vitestTest } from 'vitest';
import { queueIsCurrent } from '#prisma/engine/migrate-queue.ts';
import { migrate } from '#prisma/migrate.ts';
import { createTestDatabase } from '#test/database/database.ts';
import { until } from '#test/fixtures/until.ts';

const test = vitestTest.extend('migrations', ({ task: _ }, { onCleanup }) => prepare(onCleanup));

test('applies pending migrations in order, and none twice', async ({ migrations }) => {
  await migrations.write('90000000000002_second', 'alter table pears add column ripe boolean');
  await migrations.write('90000000000001_first', 'create table pears (id int)');
  expect(await migrations.run()).toEqual(['90000000000001_first', '90000000000002_second']);
  expect(await migrations.run()).toEqual([]);
});

test('allows two to run at the same time', async ({ migrations }) => {
  await migrations.write('90000000000001_first', 'create table pears (id int); select pg_sleep(0.3)');
  const applied = await Promise.all([migrations.run(), migrations.run(), migrations.run()]);
  expect(applied.flat()).toEqual(['90000000000001_first']);
});

test('waits for a lock without blocking others for long, and tries again', async ({ migrations }) => {
  await migrations.write('90000000000001_first', 'create table pears (id int)');
  await migrations.run();
  const holder = new Client({ connectionString: migrations.url });
  await holder.connect();
  try {
    await holder.query('begin');
    await holder.query('select from pears');
    await migrations.write('90000000000002_second', 'alter table pears add column ripe boolean');
    const run = migrations.run();
    const waiting = "select from pg_locks where not granted and relation = 'pears'::regclass";
    await until('the migration waits', async () => (await migrations.client.query(waiting)).rowCount === 1);
    // Behind the waiting migration. It would wait until the holder commits.
    await migrations.client.query('select from pears');
    await holder.query('commit');
    expect(await run).toEqual(['90000000000002_second']);
  } finally {
    await holder.end();
  }
});

test('waits no longer for a lock of the job queue, and tries again', async ({ migrations }) => {
  await migrations.run();
  // Its newest migration may be applied twice.
  await migrations.client.query(
    'delete from graphile_worker.migrations where id = (select max(id) from graphile_worker.migrations)',
  );
  const holder = new Client({ connectionString: migrations.url });
  await holder.connect();
  try {
    await holder.query('begin; lock table graphile_worker.migrations in share mode');
    const run = migrations.run();
    const waiting =
      "select from pg_locks where not granted and relation = 'graphile_worker.migrations'::regclass";
    const isWaiting = async () => (await migrations.client.query(waiting)).rowCount === 1;
    await until('the migration waits', isWaiting);
    await until('it lets others pass', async () => !(await isWaiting()));
    await holder.query('commit');
    await run;
    expect(await queueIsCurrent(migrations.client)).toBe(true);
  } finally {
    await holder.end();
  }
});

test('tries again after a deadlock with a running process', async ({ migrations }) => {
  // The run of all tests fails when the server's log has a deadlock, so this one is simulated. A sequence survives the rollback.
  await migrations.write('90000000000001_first', 'create table pears (id int); create sequence tries');
  await migrations.run();
  const fails = `do $$ begin
    if nextval('tries') = 1 then raise exception 'as in a deadlock' using errcode = 'deadlock_detected'; end if;
  end $$;`;
  await migrations.write('90000000000002_second', `alter table pears add column ripe boolean; ${fails}`);
  expect(await migrations.run()).toEqual(['90000000000002_second']);
});

test('accepts semicolons in strings, comments and functions', async ({ migrations }) => {
  const body = "begin -- one; two\n  return 'a;b'; end";
  await migrations.write(
    '90000000000001_first',
    `create function pear() returns text language plpgsql as $$ ${body} $$;`,
  );
  await migrations.run();
  expect((await migrations.client.query('select pear() as text')).rows).toEqual([{ text: 'a;b' }]);
});

test('rolls back a failed migration, and applies the corrected one', async ({ migrations }) => {
  await migrations.write('90000000000001_first', 'create table pears (id int);\ncreat table apples (id int)');
  await expect(migrations.run()).rejects.toThrow(/90000000000001_first failed: .*syntax error .*\(line 2\)/);
  expect(await migrations.exists('pears')).toBe(false);
  await migrations.write(
    '90000000000001_first',
    'create table pears (id int);\ncreate table apples (id int)',
  );
  expect(await migrations.run()).toEqual(['90000000000001_first']);
});

test('applies again what an earlier version left unfinished', async ({ migrations }) => {
  await migrations.write('90000000000001_first', 'create table pears (id int)');
  await migrations.client.query(
    `insert into _prisma_migrations (id, checksum, migration_name) values ('1', 'x', '90000000000001_first')`,
  );
  expect(await migrations.run()).toEqual(['90000000000001_first']);
  expect(await migrations.run()).toEqual([]);
});

test('applies a file that runs outside a transaction, and does not repeat one that stopped half-way', async ({
  migrations,
}) => {
  await migrations.write(
    '90000000000001_first',
    'create table pears (id int); insert into pears values (1), (1)',
  );
  await migrations.write('90000000000002_second', 'create index concurrently pears_id on pears (id)');
  await migrations.run();
  await migrations.write('90000000000003_third', 'create unique index concurrently one_pear on pears (id)');
  await expect(migrations.run()).rejects.toThrow(
    '90000000000003_third failed: could not create unique index',
  );
  await expect(migrations.run()).rejects.toThrow('90000000000003_third stopped half-way');
});

test('refuses to continue after an applied migration was edited', async ({ migrations }) => {
  await migrations.write('90000000000001_first', 'create table pears (id int)');
  await migrations.run();
  await migrations.write('90000000000001_first', 'create table pears (id bigint)');
  await expect(migrations.run()).rejects.toThrow('90000000000001_first was edited after it was applied');
});

test('applies the job queue as well', async ({ migrations }) => {
  await migrations.client.query('drop schema graphile_worker cascade');
  await migrations.run();
  expect(await migrations.exists('graphile_worker._private_jobs')).toBe(true);
});

test('reports an unreachable database in one sentence', async ({ migrations }) => {
  const closed = 'postgresql://nobody:secret@127.0.0.1:1/none';
  await expect(migrate(closed, migrations.folder)).rejects.toThrow(
    /^The database cannot be reached \(.*\): check DATABASE_URL/,
  );
});

/** Creates a database and a folder for migrations. Returns functions to write and run them. */
async function prepare(onCleanup: (end: () => Promise<void>) => void) {
  const database = await createTestDatabase();
  const client = new Client({ connectionString: database.url });
  await client.connect();
  const folder = await mkdtemp(join(tmpdir(), 'migrations-'));
  onCleanup(async () => {
    await client.end();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });
  return {
    folder,
    client,
    url: database.url,
    write: async (name: string, sql: string): Promise<void> => {
      await mkdir(join(folder, name), { recursive: true });
      await writeFile(join(folder, name, 'migration.sql'), sql);
    },
    run: async (): Promise<string[]> => (await migrate(database.url, folder)).applied,
    exists: async (table: string): Promise<boolean> => {
      const { rows } = await client.query<{ found: boolean }>('select to_regclass($1) is not null as found', [
        table,
      ]);
      return rows[0]?.found === true;
    },
  };
}
