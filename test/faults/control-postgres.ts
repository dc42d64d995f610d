import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { preparePostgresFolder } from '#scripts/postgres/postgres-folder.ts';
import { findInstallation, programIn } from '#scripts/postgres/postgres-installation.ts';

const run = promisify(execFile);

/** What stops an embedded PostgreSQL in the midst of its work and starts it again. */
export type PostgresControl = {
  /** Stops it, which ends every connection: in order, or as if it had crashed (`immediate`). */
  stop(mode?: 'fast' | 'immediate'): Promise<void>;
  /** Starts it again, at the same address and with the same settings. */
  start(): Promise<void>;
};

/**
 * @param home the `dataDir` with which it was started
 * @param log the file that it logs to
 */
export async function controlPostgres(home: string, log: string): Promise<PostgresControl> {
  const place = await preparePostgresFolder(home, await findInstallation());
  const control = async (...args: string[]) => {
    const cluster = join(place.folder, 'cluster');
    await run(
      programIn(place.installation, 'pg_ctl'),
      ['--silent', `--pgdata=${cluster}`, '--wait', ...args],
      {
        ...place.user,
        cwd: place.folder,
      },
    );
  };
  return {
    stop: (mode = 'fast') => control('stop', `--mode=${mode}`),
    // Unlike `start`, it remembers how it was started before.
    start: () => control('restart', `--log=${log}`),
  };
}
