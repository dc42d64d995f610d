import { LAB_DIR, startLabPostgres } from '#bench/lab/lab-postgres.ts';
import { migrate } from '#prisma/migrate.ts';
import { queryPostgres } from '#test/database/query-postgres.ts';
import { controlPostgres, type PostgresControl } from '#test/faults/control-postgres.ts';

/** A PostgreSQL with production settings and a new, migrated database, used by one benchmark at a time. */
export type Lab = {
  url: string;
  log: string;
  folder: string;
  /** Stops PostgreSQL at any time and restarts it at the same address. */
  control: PostgresControl;
  /** Creates a database without tables and returns its address. */
  emptyDatabase(name: string): Promise<string>;
  /** Returns the address of a migrated database that retains data of earlier runs. */
  sharedDatabase(name: string): Promise<string>;
  /** Creates a migrated database and returns its address. */
  serviceDatabase(name: string): Promise<string>;
  stop(): Promise<void>;
};

/**
 * Starts PostgreSQL with default durability.
 * @param settings additional server settings
 * @param dataDir data folder, by default the one of all benchmarks
 * @param installation folder with PostgreSQL's `bin`, if not the npm package
 */
export async function startLab(
  settings: Record<string, string | number> = {},
  dataDir = LAB_DIR,
  installation?: string,
): Promise<Lab> {
  const postgres = await startLabPostgres({ max_connections: 200, ...settings }, dataDir, installation);
  const emptyDatabase = async (name: string) => {
    await queryPostgres(postgres.url('postgres'), `drop database if exists ${name} with (force)`);
    await postgres.ensureDatabase(name);
    return postgres.url(name);
  };
  const sharedDatabase = async (name: string) => {
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
    sharedDatabase,
    serviceDatabase,
    stop: postgres.stop,
  };
}
