import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { urlOf } from '#scripts/embedded-postgres.ts';
import { dataFolderIn, findShelter } from '#scripts/postgres-shelter.ts';
import { runningPostmaster } from '#scripts/postmaster-pid.ts';

/**
 * The address of a database of the PostgreSQL that `npm start` keeps in the folder `home`, wherever its data is; undefined
 * while it does not run. Nothing is started.
 */
export async function runningPostgres(home: string, database: string): Promise<string | undefined> {
  const passwordFile = join(home, 'password');
  if (!existsSync(passwordFile)) return undefined;
  const shelter = await findShelter(home);
  const postmaster = await runningPostmaster(join(shelter ? dataFolderIn(shelter) : home, 'cluster'));
  if (!postmaster?.ready) return undefined;
  return urlOf(postmaster.port, (await readFile(passwordFile, 'utf8')).trim(), database);
}
