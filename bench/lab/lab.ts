import { LAB_DIR, startLabPostgres } from '#bench/lab/lab-postgres.ts';
import { migrate } from '#prisma/migrate.ts';
import { askPostgres } from '#test/database/ask-postgres.ts';
import { controlPostgres, type PostgresControl } from '#test/faults/control-postgres.ts';

/** A PostgreSQL as it is shipped, with a fresh, migrated database; only one benchmark uses it at a time. */
export type Lab = {
  url: string;
  log: string;
  /** The folder of its data. */
  folder: string;
  /** Stops it in the midst of its work, and starts it again at the same address. */
  control: PostgresControl;
  /** Makes another fresh database in it, and returns its address. */
  emptyDatabase(name: string): Promise<string>;
  /** One with the service's tables that keeps what earlier runs left in it. */
  keptDatabase(name: string): Promise<string>;
  /** Another one with the service's tables. */
  serviceDatabase(name: string): Promise<string>;
  stop(): Promise<void>;
};

/**
 * Starts it with PostgreSQL's own durability.
 * @param settings the server's, besides the shipped ones
 * @param dataDir the folder of its data, unless it is the one of all benchmarks
 */
export async function startLab(
  settings: Record<string, string | number> = {},
  dataDir = LAB_DIR,
): Promise<Lab> {
  const postgres = await startLabPostgres({ max_connections: 200, ...settings }, dataDir);
  const emptyDatabase = async (name: string) => {
    await askPostgres(postgres.url('postgres'), `drop database if exists ${name} with (force)`);
    await postgres.ensureDatabase(name);
    return postgres.url(name);
  };
  const keptDatabase = async (name: string) => {
    await postgres.ensureDatabase(name);
    await migrate(postgres.url(name));
    return postgres.url(name);
  };
  const serviceDatabase = async (name: string) => {
    const url = await emptyDatabase(name);
    await migrate(url);
    return url;
  };
  return {
    url: await serviceDatabase('engine'),
    log: postgres.log,
    folder: postgres.folder,
    control: await controlPostgres(dataDir, postgres.log),
    emptyDatabase,
    keptDatabase,
    serviceDatabase,
    stop: postgres.stop,
  };
}
