import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ExplainedError } from '#scripts/explained-error.ts';
import { installationOf, type PostgresBinaries } from '#scripts/postgres-binaries.ts';
import {
  dataFolderIn,
  findShelter,
  forgetShelter,
  makeShelter,
  SHELTER_PARENTS,
  sweepShelters,
} from '#scripts/postgres-shelter.ts';
import { type Account, choosePostgresUser, firstClosedFolder, type RunAs } from '#scripts/postgres-user.ts';
import { copyFor, makePrivateFolder } from '#scripts/private-folder.ts';
import { reachablePostgres } from '#scripts/reachable-postgres.ts';
import { stopPostmaster } from '#scripts/stop-postmaster.ts';

/** Where PostgreSQL is kept, the programs to use, and who runs them. `shelter` is set when it is not in its home. */
export type Place = { folder: string; programs: PostgresBinaries; user: RunAs; shelter?: string };

/**
 * The place for the PostgreSQL whose home is the folder `home`, which must be there. As root it runs as another
 * user, who may be unable to reach the home or the programs: then it is kept in a shelter (postgres-shelter.ts).
 * Throws an `ExplainedError` where there is no place at all.
 */
export async function choosePlace(
  home: string,
  installed: PostgresBinaries,
  parents: string[] = SHELTER_PARENTS,
): Promise<Place> {
  if (process.getuid?.() !== 0) return { folder: home, programs: installed, user: {} };
  // First of all, as a shelter that came along with a moved project looks abandoned until it is found.
  const known = await findShelter(home);
  await sweepShelters(parents);
  const folders = known ? [dataFolderIn(known), home] : [home];
  const user = await choosePostgresUser(folders.map((folder) => join(folder, 'cluster')));
  const closed = await firstClosedFolder(home, user);
  const place = known
    ? await inShelter(known, installed, user)
    : ((closed === undefined ? await inHome(home, installed, user) : undefined) ??
      (await inNewShelter(parents, home, installed, user)));
  if (!place) throw nowhere(closed ?? (await firstClosedFolder(installed.postgres, user)), installed);
  if (place.shelter) await takeAlong(home, place.folder, user);
  return place;
}

async function inHome(home: string, installed: PostgresBinaries, user: Account): Promise<Place | undefined> {
  const place = await placeIn(home, installed, user);
  // Of a project that was copied: it names the shelter of the original.
  if (place) await forgetShelter(home);
  return place;
}

async function inShelter(
  shelter: string,
  installed: PostgresBinaries,
  user: Account,
): Promise<Place | undefined> {
  const place = await placeIn(dataFolderIn(shelter), installed, user);
  return place && { ...place, shelter };
}

async function placeIn(
  folder: string,
  installed: PostgresBinaries,
  user: Account,
): Promise<Place | undefined> {
  await makePrivateFolder(folder, user);
  const programs = await reachablePostgres(installed, user, folder);
  return programs && { folder, programs, user };
}

/** Moves into the first folder where PostgreSQL's user can both keep data and run programs. */
async function inNewShelter(
  parents: string[],
  home: string,
  installed: PostgresBinaries,
  user: Account,
): Promise<Place | undefined> {
  for (const parent of parents) {
    if ((await firstClosedFolder(join(parent, 'shelter'), user)) !== undefined) continue;
    const shelter = await makeShelter(home, parent).catch(() => undefined);
    const place = shelter && (await inShelter(shelter, installed, user).catch(() => undefined));
    if (place) return place;
    await forgetShelter(home);
    if (shelter) await rm(shelter, { recursive: true, force: true });
  }
  return undefined;
}

/** Data from when the home could be reached, or from before the project was copied here, goes on to be used. */
async function takeAlong(home: string, folder: string, user: Account): Promise<void> {
  const left = join(home, 'cluster');
  if (!existsSync(left) || existsSync(join(folder, 'cluster'))) return;
  if (!(await stopPostmaster(left)))
    throw new ExplainedError(`The PostgreSQL that runs on ${left} does not stop: stop it.`);
  await copyFor(user, left, join(folder, 'cluster'));
  await rm(left, { recursive: true, force: true });
}

function nowhere(closed: string | undefined, installed: PostgresBinaries): ExplainedError {
  if (closed === undefined) {
    return new ExplainedError(
      `The programs of PostgreSQL in ${installationOf(installed)} do not run on this machine: ` +
        'set DATABASE_URL to a PostgreSQL 15 or newer.',
    );
  }
  return new ExplainedError(
    `As root, PostgreSQL runs as the user postgres, who cannot enter ${closed}: allow it (chmod o+x ${closed}), ` +
      'move the project to a folder everyone can enter, or set DATABASE_URL.',
  );
}
