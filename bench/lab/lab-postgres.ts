import { join } from 'node:path';
import { guardPostgres } from '#bench/lab/guard-postgres.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#scripts/postgres/embedded-postgres.ts';
import { lock } from '#scripts/start/lock.ts';
import { dataDirOf } from '#server/core/project.ts';

/** The folder of the data of all benchmarks. */
export const LAB_DIR = join(dataDirOf(process.env), 'bench-postgres');

/**
 * Starts a PostgreSQL with its own durability for this process alone, which is stopped when the process ends, in whatever way.
 * @param settings the server's, besides the shipped ones
 * @throws when another process has the folder
 */
export async function startLabPostgres(
  settings: Record<string, string | number> = {},
  dataDir = LAB_DIR,
): Promise<EmbeddedPostgres> {
  const taken = await lock(dataDir);
  if ('heldBy' in taken) throw new Error('Another benchmark is running.');
  const endGuard = guardPostgres(dataDir);
  const postgres = await startEmbeddedPostgres({ dataDir, settings });
  return {
    ...postgres,
    stop: async () => {
      await postgres.stop();
      taken.release();
      await endGuard();
    },
  };
}
