import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { preparePostgresFolder } from '#scripts/postgres/postgres-folder.ts';
import { findInstallation, programIn } from '#scripts/postgres/postgres-installation.ts';

const run = promisify(execFile);

/** Stops a running embedded PostgreSQL and starts it again. */
export type PostgresControl = {
  /** Stops it and closes every connection: cleanly, or like a crash (`immediate`). */
  stop(mode?: 'fast' | 'immediate'): Promise<void>;
  /** Starts it again, with the same address and settings. */
  start(): Promise<void>;
};

/**
 * Controls the embedded PostgreSQL in a folder.
 * @param home the `dataDir` with which it was started
 * @param log its log file
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
    // Unlike `start`, `restart` uses the options of the last start.
    start: () => control('restart', `--log=${log}`),
  };
}
