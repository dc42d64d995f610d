import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { migrate } from '#prisma/migrate.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';

let database: TestDatabase;
let client: Client;
let folder: string;

beforeEach(async () => {
  database = await createTestDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
  folder = await mkdtemp(join(tmpdir(), 'migrations-'));
});

afterEach(async () => {
  await client.end();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

async function write(name: string, sql: string): Promise<void> {
  await mkdir(join(folder, name), { recursive: true });
  await writeFile(join(folder, name, 'migration.sql'), sql);
}

async function run(): Promise<string[]> {
  return (await migrate(database.url, folder)).applied;
}

async function exists(table: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>('select to_regclass($1) is not null as found', [
    table,
  ]);
  return rows[0]?.found === true;
}

it('applies pending migrations in order, and none twice', async () => {
  await write('90000000000002_second', 'alter table pears add column ripe boolean');
  await write('90000000000001_first', 'create table pears (id int)');
  expect(await run()).toEqual(['90000000000001_first', '90000000000002_second']);
  expect(await run()).toEqual([]);
});

it('allows two to run at the same time', async () => {
  await write('90000000000001_first', 'create table pears (id int); select pg_sleep(0.3)');
  const applied = await Promise.all([run(), run(), run()]);
  expect(applied.flat()).toEqual(['90000000000001_first']);
});

it('accepts semicolons in strings, comments and functions', async () => {
  const body = "begin -- one; two\n  return 'a;b'; end";
  await write(
    '90000000000001_first',
    `create function pear() returns text language plpgsql as $$ ${body} $$;`,
  );
  await run();
  expect((await client.query('select pear() as text')).rows).toEqual([{ text: 'a;b' }]);
});

it('rolls back a failed migration, and applies the corrected one', async () => {
  await write('90000000000001_first', 'create table pears (id int);\ncreat table apples (id int)');
  await expect(run()).rejects.toThrow(/90000000000001_first failed: .*syntax error .*\(line 2\)/);
  expect(await exists('pears')).toBe(false);
  await write('90000000000001_first', 'create table pears (id int);\ncreate table apples (id int)');
  expect(await run()).toEqual(['90000000000001_first']);
});

it('refuses to continue after an applied migration was edited', async () => {
  await write('90000000000001_first', 'create table pears (id int)');
  await run();
  await write('90000000000001_first', 'create table pears (id bigint)');
  await expect(run()).rejects.toThrow('90000000000001_first was edited after it was applied');
});

it('applies the job queue as well', async () => {
  await client.query('drop schema graphile_worker cascade');
  await run();
  expect(await exists('graphile_worker._private_jobs')).toBe(true);
});

it('reports an unreachable database in one sentence', async () => {
  const closed = 'postgresql://nobody:secret@127.0.0.1:1/none';
  await expect(migrate(closed, folder)).rejects.toThrow(
    /^The database cannot be reached \(.*\): check DATABASE_URL/,
  );
});
