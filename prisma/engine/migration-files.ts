import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, UserError } from '#server/core/user-error.ts';

/** One migration of the folder: `<yyyymmddhhmmss>_<name>/migration.sql`. */
export type MigrationFile = { name: string; sql: string };

/** The migrations of a folder in the order in which they are applied; an absent folder has none. */
export async function readMigrationFiles(folder: string): Promise<MigrationFile[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return await Promise.all(names.sort().map((name) => readMigrationFile(folder, name)));
}

async function readMigrationFile(folder: string, name: string): Promise<MigrationFile> {
  try {
    return { name, sql: await readFile(join(folder, name, 'migration.sql'), 'utf8') };
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    throw new UserError(`The migration ${name} has no migration.sql: restore the file or remove the folder.`);
  }
}

/** Whether `sql` is what was applied under this checksum, as Prisma counts: line endings do not matter. */
export function hasChecksum(sql: string, checksum: string): boolean {
  const unix = sql.replaceAll('\r\n', '\n');
  return [sql, unix, unix.replaceAll('\n', '\r\n')].some((text) => sha256(text) === checksum);
}

/**
 * Whether the script takes effect wholly or not at all. PostgreSQL runs a script as one transaction, unless it
 * commits by itself or contains a statement that cannot be in a transaction.
 */
export function isAtomic(sql: string): boolean {
  const code = sql.replaceAll(QUOTED, '').toLowerCase();
  return !/\bconcurrently\b|(^|;)\s*(begin|commit|end|rollback|start\s+transaction|vacuum)\b/.test(code);
}

/** What is no statement: strings, function bodies between dollar signs, comments. */
const QUOTED = /'(?:[^']|'')*'|(\$\w*\$)[\s\S]*?\1|--.*$|\/\*[\s\S]*?\*\//gm;

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
