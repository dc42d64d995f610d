import { dirname, join } from 'node:path';
import { ANY_MAJOR, findClientPrograms } from '#scripts/backup/client-programs.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#scripts/postgres/embedded-postgres.ts';
import { lock } from '#scripts/start/lock.ts';
import { findProgram } from '#scripts/tools/find-program.ts';
import { dataDirOf } from '#server/core/project.ts';

/** Path of `pg_dump`. As root on Debian, PostgreSQL is installed if it is missing. */
export const PG_DUMP = await findProgram(
  { debianPackage: 'postgresql', setting: 'PG_DUMP_PATH', names: ['pg_dump'] },
  console.error,
);

/**
 * Starts the PostgreSQL of the same package as `pg_dump`: the embedded one has no `pg_dump`, and may be newer than an installed one.
 */
export async function startClientPostgres(): Promise<EmbeddedPostgres> {
  const { folder } = await findClientPrograms(ANY_MAJOR);
  for (let number = 1; ; number++) {
    const dataDir = join(dataDirOf(process.env), `test-postgres-client-${number}`);
    const taken = await lock(dataDir);
    if ('heldBy' in taken) continue;
    const postgres = await startEmbeddedPostgres({
      dataDir,
      installation: dirname(folder),
      settings: { fsync: 'off', max_connections: 100, autovacuum_naptime: 1 },
    });
    return {
      ...postgres,
      stop: async () => {
        await postgres.stop();
        taken.release();
      },
    };
  }
}
