import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { migrationName, newMigration } from '#prisma/new-migration.ts';

let folder: string;
let schemaFile: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'migrations-'));
  schemaFile = join(folder, 'schema.prisma');
});

afterEach(() => rm(folder, { recursive: true, force: true }));

it('writes the whole schema first, then only changes', async () => {
  await writeFile(schemaFile, schema('text String'));
  expect(await write('initial')).toBe('20261121062929_initial');
  await writeFile(schemaFile, schema('text String?'));
  const second = await write('optional text');
  const sql = await readFile(join(folder, 'all', second ?? '', 'migration.sql'), 'utf8');
  expect(sql).toContain('ALTER TABLE "Note" ALTER COLUMN "text" DROP NOT NULL');
  expect(sql).not.toContain('CREATE TABLE');
});

it('writes nothing when the schema is unchanged', async () => {
  await writeFile(schemaFile, schema('text String'));
  await write('initial');
  await writeFile(schemaFile, schema('text String // a comment'));
  expect(await write('again')).toBeUndefined();
  expect(await readdir(join(folder, 'all'))).toHaveLength(3);
});

it('names migrations so that they sort by time', () => {
  expect(migrationName(' Add Tags! ', new Date('2026-01-02T03:04:05Z'))).toBe('20260102030405_add_tags');
});

it('requires a name', () => {
  expect(() => migrationName('  ', new Date())).toThrow('Name the migration after what it changes');
});

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
