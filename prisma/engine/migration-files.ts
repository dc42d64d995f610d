import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, UserError } from '#server/core/user-error.ts';

export type MigrationFile = { name: string; sql: string };

/** Reads the migrations of a folder in order. A missing folder has none. */
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

/** Returns the SHA-256 of a migration, as Prisma writes it to its table. */
export function checksumOf(sql: string): string {
  return createHash('sha256').update(sql).digest('hex');
}

/** Returns whether `sql` has this checksum. Line endings do not matter. */
export function hasChecksum(sql: string, checksum: string): boolean {
  const unix = sql.replaceAll('\r\n', '\n');
  return [sql, unix, unix.replaceAll('\n', '\r\n')].some((text) => checksumOf(text) === checksum);
}

/**
 * Returns whether PostgreSQL runs the script as one transaction: it does not commit itself and has no statement that
 * is impossible in a transaction.
 */
export function isAtomic(sql: string): boolean {
  const code = withoutQuoted(sql).toLowerCase();
  return !/\bconcurrently\b|(^|;)\s*(begin|commit|end|rollback|start\s+transaction|vacuum)\b/.test(code);
}

/** Returns a script without its strings, dollar-quoted bodies and comments. */
export function withoutQuoted(sql: string): string {
  return sql.replaceAll(QUOTED, '');
}

/** Matches strings, dollar-quoted bodies and comments. */
const QUOTED = /'(?:[^']|'')*'|(\$\w*\$)[\s\S]*?\1|--.*$|\/\*[\s\S]*?\*\//gm;
