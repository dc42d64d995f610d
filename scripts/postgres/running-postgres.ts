import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { urlOf } from '#scripts/postgres/embedded-postgres.ts';
import { findPostgresFolder } from '#scripts/postgres/postgres-folder.ts';
import { runningPostmaster, stopPostmaster } from '#scripts/postgres/postmaster.ts';
import { isLocked } from '#scripts/start/lock.ts';

/**
 * Returns the URL of a database of the PostgreSQL that `npm start` runs in the folder `home`, or undefined if it does
 * not run.
 */
export async function runningPostgres(home: string, database: string): Promise<string | undefined> {
  const password = await readFile(join(home, 'password'), 'utf8').catch(() => undefined);
  if (password === undefined) return undefined;
  const postmaster = await runningPostmaster(join(await findPostgresFolder(home), 'cluster'));
  return postmaster?.ready ? urlOf(postmaster.port, password.trim(), database) : undefined;
}

/** Stops the PostgreSQL of a folder whose owner was killed. Leaves one that is in use. */
export async function stopAbandonedPostgres(home: string): Promise<void> {
  if (isLocked(home)) return;
  await stopPostmaster(join(await findPostgresFolder(home), 'cluster'));
}

/** Stops abandoned servers of integration tests in the data folder. */
export async function stopAbandonedTestServers(dataDir: string): Promise<void> {
  const names = await readdir(dataDir).catch(() => []);
  const homes = names.filter((name) => name.startsWith('test-postgres')).map((name) => join(dataDir, name));
  await Promise.all(homes.map(stopAbandonedPostgres));
}
