import { join } from 'node:path';
import { migrate } from '#prisma/migrate.ts';
import { startEmbeddedPostgres } from '#scripts/postgres/embedded-postgres.ts';
import { lock } from '#scripts/start/lock.ts';
import { dataDirOf } from '#server/core/project.ts';
import { watchDeadlocks } from '#test/database/deadlocks.ts';
import { queryPostgres } from '#test/database/query-postgres.ts';
import { controlPostgres, type PostgresControl } from '#test/faults/control-postgres.ts';

/** A PostgreSQL server for one test file only, with a migrated, empty database. */
export type OwnPostgres = PostgresControl & {
  url: string;
  /** Stops it permanently. */
  end(): Promise<void>;
};

/**
 * Starts a second PostgreSQL server, which can be stopped without affecting other tests. A server left by a
 * killed run is found by its folder's name, like the shared one.
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
    await queryPostgres(postgres.url('postgres'), 'drop database if exists inbox with (force)');
    await postgres.ensureDatabase('inbox');
    await migrate(postgres.url('inbox'));
    const control = await controlPostgres(home, postgres.log);
    return {
      ...control,
      url: postgres.url('inbox'),
      end: async () => {
        await postgres.stop();
        taken.release();
        await refuseDeadlocks();
      },
    };
  }
}
