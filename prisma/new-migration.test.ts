import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { migrationName, newMigration, schemaNeedsMigration } from '#prisma/new-migration.ts';

let folder: string;
let schemaFile: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'migrations-'));
  await git('init', '-q');
  schemaFile = join(folder, 'schema.prisma');
});

afterEach(() => rm(folder, { recursive: true, force: true }));

it('writes the whole schema first, then only changes', async () => {
  await writeFile(schemaFile, schema('text String'));
  expect(await write('initial')).toBe('20261121062929_initial');
  await commit();
  await writeFile(schemaFile, schema('text String?'));
  expect(await schemaNeedsMigration(schemaFile, join(folder, 'all'))).toBe(true);
  const second = await write('optional text');
  const sql = await readFile(join(folder, 'all', second ?? '', 'migration.sql'), 'utf8');
  expect(sql).toContain('ALTER TABLE "Note" ALTER COLUMN "text" DROP NOT NULL');
  expect(sql).not.toContain('CREATE TABLE');
  expect(await schemaNeedsMigration(schemaFile, join(folder, 'all'))).toBe(false);
});

it('compares with the schema of the last migration, not with later comments or the last commit', async () => {
  await writeFile(schemaFile, schema('text String'));
  await write('initial');
  await commit();
  await writeFile(schemaFile, schema('text  String // a comment, "quoted"'));
  expect(await write('again')).toBeUndefined();
  await writeFile(schemaFile, schema('text String @default("https://example.com")'));
  await commit();
  const sql = await readFile(join(folder, 'all', (await write('default')) ?? '', 'migration.sql'), 'utf8');
  expect(sql).toContain(`SET DEFAULT 'https://example.com'`);
});

it('asks for a commit of the last migration before the next', async () => {
  await writeFile(schemaFile, schema('text String'));
  await commit();
  await writeFile(schemaFile, schema('text String?'));
  await write('initial');
  await writeFile(schemaFile, schema('text Int'));
  await expect(write('number')).rejects.toThrow('commit that migration first');
  expect(await readdir(join(folder, 'all'))).toHaveLength(3);
});

it('names migrations so that they sort by time', () => {
  expect(migrationName(' Add Tags! ', new Date('2026-01-02T03:04:05Z'))).toBe('20260102030405_add_tags');
});

it('requires a name', () => {
  expect(() => migrationName('  ', new Date())).toThrow('Name the migration after what it changes');
});

function git(...args: string[]) {
  return promisify(execFile)('git', args, { cwd: folder });
}

async function commit(): Promise<void> {
  await git('add', '-A');
  await git('-c', 'user.name=Test', '-c', 'user.email=test@example.com', 'commit', '-q', '-m', 'Change');
}

function write(name: string) {
  return newMigration(name, new Date('2026-11-21T06:29:29Z'), schemaFile, join(folder, 'all'));
}

function schema(field: string) {
  return `datasource db {
  provider = "postgresql"
}

model Note {
  id   String @id @default(uuid(7)) @db.Uuid
  ${field}
}
`;
}
