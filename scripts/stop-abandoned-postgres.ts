import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { findOwner } from '#scripts/claim-folder.ts';
import { dataFolderIn, findShelter } from '#scripts/postgres-shelter.ts';
import { stopPostmaster } from '#scripts/stop-postmaster.ts';

/** Stops the PostgreSQL of a folder whose owner was killed; one that somebody is using is left alone. */
export async function stopAbandonedPostgres(home: string): Promise<void> {
  if (await findOwner(home)) return;
  const shelter = await findShelter(home);
  await stopPostmaster(join(shelter ? dataFolderIn(shelter) : home, 'cluster'));
}

/** The same for every server that integration tests start in the data folder. */
export async function stopAbandonedTestServers(dataDir: string): Promise<void> {
  const names = await readdir(dataDir).catch(() => []);
  const homes = names.filter((name) => name.startsWith('test-postgres')).map((name) => join(dataDir, name));
  await Promise.all(homes.map(stopAbandonedPostgres));
}
