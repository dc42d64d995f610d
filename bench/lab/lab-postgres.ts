import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#scripts/postgres/embedded-postgres.ts';
import { lock } from '#scripts/start/lock.ts';
import { dataDirOf, projectDir } from '#server/core/project.ts';

export const LAB_DIR = join(dataDirOf(process.env), 'bench-postgres');

/**
 * Starts a PostgreSQL with default durability for this process. It stops when this process exits for any
 * reason.
 * @param settings additional server settings
 * @param installation folder with PostgreSQL's `bin`, if not the npm package
 * @throws when another process has locked the folder
 */
export async function startLabPostgres(
  settings: Record<string, string | number> = {},
  dataDir = LAB_DIR,
  installation?: string,
): Promise<EmbeddedPostgres> {
  const locked = await lock(dataDir);
  if ('heldBy' in locked) throw new Error('Another benchmark is running.');
  const endGuard = guardPostgres(dataDir);
  const postgres = await startEmbeddedPostgres({
    dataDir,
    settings,
    ...(installation === undefined ? {} : { installation }),
  });
  return {
    ...postgres,
    stop: async () => {
      await postgres.stop();
      locked.release();
      await endGuard();
    },
  };
}

/**
 * Stops the PostgreSQL of a folder when this process exits for any reason. PostgreSQL runs in a separate
 * session, so no signal to this process reaches it.
 * @param home the `dataDir` it was or will be started with; this process holds its lock
 * @returns a function that ends the guard after a normal stop of PostgreSQL
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
