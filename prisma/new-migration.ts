import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EVERYTHING, offlineAdapter, withSchemaEngine } from '#prisma/engine/schema-engine.ts';
import { projectPath } from '#server/core/project.ts';
import { runCli, UserError } from '#server/core/user-error.ts';

/**
 * Schema after all migrations. Comparing with a database would also show hand-written SQL (checks, partial indexes),
 * which a schema file cannot express.
 */
const SNAPSHOT = 'schema.prisma';

/** Returns the SQL from the migrations of `folder` to the schema file, or undefined without a change. */
export async function pendingSchemaChange(schemaFile: string, folder: string): Promise<string | undefined> {
  const snapshot = join(folder, SNAPSHOT);
  const before = existsSync(snapshot) ? await readFile(snapshot, 'utf8') : undefined;
  const after = await readFile(schemaFile, 'utf8');
  if (before === after) return undefined;
  const sql = await withSchemaEngine(offlineAdapter(), async (engine) => {
    const result = await engine.diff({
      from: before === undefined ? { tag: 'empty' } : schemaText(before),
      to: schemaText(after),
      script: true,
      exitCode: null,
      filters: EVERYTHING,
    });
    return result.stdout ?? '';
  });
  return sql === '' || sql.trim() === '-- This is an empty migration.' ? undefined : sql;
}

/**
 * Writes the next migration and returns its folder's name, or undefined without a change. Add by hand what the schema
 * cannot express.
 */
export async function newMigration(
  name: string,
  now = new Date(),
  schemaFile = projectPath('prisma', 'schema.prisma'),
  folder = projectPath('prisma', 'migrations'),
): Promise<string | undefined> {
  const sql = await pendingSchemaChange(schemaFile, folder);
  if (sql === undefined) return undefined;
  const directory = migrationName(name, now);
  await mkdir(join(folder, directory), { recursive: true });
  await writeFile(join(folder, directory, 'migration.sql'), sql, { flag: 'wx' });
  await writeFile(join(folder, SNAPSHOT), await readFile(schemaFile));
  await writeFile(join(folder, 'migration_lock.toml'), 'provider = "postgresql"\n');
  return directory;
}

/** Returns a name such as `20261121062929_add_tags`, with the time in UTC. */
export function migrationName(name: string, now: Date): string {
  const slug = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '');
  if (slug === '') {
    throw new UserError('Name the migration after what it changes: npm run db:new-migration -- add tags');
  }
  return `${now
    .toISOString()
    .replaceAll(/[^0-9]/g, '')
    .slice(0, 14)}_${slug}`;
}

function schemaText(content: string) {
  return { tag: 'schemaDatamodel' as const, files: [{ path: 'schema.prisma', content }] };
}

if (import.meta.main) {
  await runCli(async () => {
    const made = await newMigration(process.argv.slice(2).join(' '));
    console.log(
      made
        ? `Wrote prisma/migrations/${made}/migration.sql: read it, then add what the schema cannot express.`
        : 'prisma/schema.prisma has no changes since the last migration: no migration was written.',
    );
  });
}
