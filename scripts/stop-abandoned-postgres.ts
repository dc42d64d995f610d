import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { findOwner } from '#scripts/claim-folder.ts';
import { runningPostmaster } from '#scripts/postmaster-pid.ts';
import { isAlive, signal, until } from '#scripts/processes.ts';

/** Stops the PostgreSQL of a folder whose owner was killed; one that somebody is using is left alone. */
export async function stopAbandonedPostgres(home: string): Promise<void> {
  if (await findOwner(home)) return;
  const postmaster = await runningPostmaster(join(home, 'cluster'));
  if (!postmaster) return;
  // SIGINT is PostgreSQL's fast shutdown.
  signal(postmaster.pid, 'SIGINT');
  await until(() => !isAlive(postmaster.pid), SHUTDOWN_MS);
}

/** The same for every server that integration tests start in the data folder. */
export async function stopAbandonedTestServers(dataDir: string): Promise<void> {
  const names = await readdir(dataDir).catch(() => []);
  const homes = names.filter((name) => name.startsWith('test-postgres')).map((name) => join(dataDir, name));
  await Promise.all(homes.map(stopAbandonedPostgres));
}

const SHUTDOWN_MS = 20_000;
