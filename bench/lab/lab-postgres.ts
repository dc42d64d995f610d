import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#scripts/postgres/embedded-postgres.ts';
import { lock } from '#scripts/start/lock.ts';
import { dataDirOf, projectDir } from '#server/core/project.ts';

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

/**
 * Has the PostgreSQL of a folder stopped when this process ends, in whatever way: it runs in a session of its own, so that
 * nothing that ends this process reaches it.
 * @param home the `dataDir` with which it was or will be started; its lock is this process's
 * @returns what ends the guard, once PostgreSQL was stopped in order
 */
export function guardPostgres(home: string): () => Promise<void> {
  const guard = spawn(process.execPath, ['bench/programs/stop-abandoned.ts', home], {
    cwd: projectDir,
    detached: true,
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const ended = once(guard, 'exit');
  guard.unref();
  return async () => {
    guard.ref();
    guard.kill('SIGKILL');
    await ended;
  };
}
