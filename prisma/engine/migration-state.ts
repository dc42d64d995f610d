import type { ClientBase } from 'pg';
import { hasChecksum, type MigrationFile } from '#prisma/engine/migration-files.ts';
import { codeOf } from '#server/core/user-error.ts';

/** A row of `_prisma_migrations` that was not rolled back. */
export type AppliedMigration = { name: string; checksum: string; finished: boolean };

export type MigrationState = {
  pending: string[];
  /** started and not finished */
  failed: string[];
  /** applied, and its file has changed since */
  edited: string[];
  /** applied by a newer version */
  unknown: string[];
};

export async function readAppliedMigrations(client: ClientBase): Promise<AppliedMigration[]> {
  try {
    const { rows } = await client.query<AppliedMigration>(
      `select migration_name as name, checksum, finished_at is not null as finished
       from _prisma_migrations where rolled_back_at is null order by started_at`,
    );
    return rows;
  } catch (error) {
    if (codeOf(error) === UNDEFINED_TABLE) return [];
    throw error;
  }
}

export function compareMigrations(files: MigrationFile[], applied: AppliedMigration[]): MigrationState {
  const rows = new Map(applied.map((row) => [row.name, row]));
  const known = new Set(files.map((file) => file.name));
  const names = (wanted: (file: MigrationFile, row: AppliedMigration | undefined) => boolean) =>
    files.filter((file) => wanted(file, rows.get(file.name))).map((file) => file.name);
  return {
    pending: names((_, row) => row === undefined),
    failed: applied.filter((row) => !row.finished).map((row) => row.name),
    edited: names((file, row) => row?.finished === true && !hasChecksum(file.sql, row.checksum)),
    unknown: applied.filter((row) => row.finished && !known.has(row.name)).map((row) => row.name),
  };
}

const UNDEFINED_TABLE = '42P01';
