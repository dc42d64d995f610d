import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { migrate } from '#prisma/migrate.ts';
import { startEmbeddedPostgres } from '#scripts/embedded-postgres.ts';
import { findPostgresBinaries } from '#scripts/postgres-binaries.ts';
import { choosePlace } from '#scripts/postgres-place.ts';

/** A PostgreSQL that only one test file uses, with a migrated database. */
export type OwnPostgres = {
  url: string;
  /** Stops it, which ends every connection: in order, or as if it had crashed (`immediate`). */
  stop(mode?: 'fast' | 'immediate'): Promise<void>;
  /** Starts it again, at the same address. */
  start(): Promise<void>;
  /** Ends it and removes its data. */
  remove(): Promise<void>;
};

const run = promisify(execFile);

/** Starts a PostgreSQL in a folder of its own. */
export async function startOwnPostgres(): Promise<OwnPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'own-postgres-'));
  // As root, PostgreSQL runs as another user, who must get through.
  await chmod(folder, 0o755);
  const home = join(folder, 'database');
  const postgres = await startEmbeddedPostgres({
    dataDir: home,
    settings: { fsync: 'off', max_connections: 150 },
  });
  await postgres.ensureDatabase('inbox');
  await migrate(postgres.url('inbox'));
  const place = await choosePlace(home, await findPostgresBinaries());
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
    start: () => control('restart', `--log=${join(place.folder, 'server.log')}`),
    remove: async () => {
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
