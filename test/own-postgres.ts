import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { migrate } from '#prisma/migrate.ts';
import { startEmbeddedPostgres } from '#scripts/postgres/embedded-postgres.ts';
import { findPostgresBinaries } from '#scripts/postgres/postgres-binaries.ts';
import { preparePostgresFolder } from '#scripts/postgres/postgres-folder.ts';
import { lock } from '#scripts/start/lock.ts';
import { dataDirOf } from '#scripts/tools/project.ts';
import { askPostgres } from '#test/ask-postgres.ts';
import { watchDeadlocks } from '#test/deadlocks.ts';

/** A PostgreSQL that only one test file uses, with a migrated, empty database. */
export type OwnPostgres = {
  url: string;
  /** Stops it, which ends every connection: in order, or as if it had crashed (`immediate`). */
  stop(mode?: 'fast' | 'immediate'): Promise<void>;
  /** Starts it again, at the same address. */
  start(): Promise<void>;
  /** Stops it for good. */
  end(): Promise<void>;
};

const run = promisify(execFile);

/**
 * Starts a PostgreSQL beside that of all tests, so that it can be stopped without harm to others. One that a killed
 * run left behind is found by its folder's name, as that of all tests is.
 */
export async function startOwnPostgres(): Promise<OwnPostgres> {
  for (let number = 1; ; number++) {
    const home = join(dataDirOf(process.env), `test-postgres-own-${number}`);
    const taken = await lock(home);
    if ('heldBy' in taken) continue;
    const postgres = await startEmbeddedPostgres({
      dataDir: home,
      settings: { fsync: 'off', max_connections: 150 },
    });
    const refuseDeadlocks = await watchDeadlocks(postgres.log);
    await askPostgres(postgres.url('postgres'), 'drop database if exists inbox with (force)');
    await postgres.ensureDatabase('inbox');
    await migrate(postgres.url('inbox'));
    const place = await preparePostgresFolder(home, await findPostgresBinaries());
    const control = async (...args: string[]) => {
      const cluster = join(place.folder, 'cluster');
      await run(place.programs.pgCtl, ['--silent', `--pgdata=${cluster}`, '--wait', ...args], {
        ...place.user,
        cwd: place.folder,
      });
    };
    return {
      url: postgres.url('inbox'),
      stop: (mode = 'fast') => control('stop', `--mode=${mode}`),
      // Unlike `start`, it remembers how it was started before.
      start: () => control('restart', `--log=${postgres.log}`),
      end: async () => {
        await postgres.stop();
        await taken.release();
        await refuseDeadlocks();
      },
    };
  }
}
