import { chmod, lstat, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { isAbandoned, parseShelterMarker, type ShelterMarker } from '#scripts/shelter-marker.ts';
import { stopPostmaster } from '#scripts/stop-postmaster.ts';

/*
 * A shelter is a folder outside a home that PostgreSQL's user cannot reach, in which its data is kept instead.
 * The home's file `moved-to` names the shelter, whose file `moved-from` names the home: only while both agree
 * is it in use. It belongs to root, so nobody else can make root use or delete a folder by faking one.
 */

/** Where shelters are made: the first outlives a restart of the machine, the last may run programs nearly everywhere. */
export const SHELTER_PARENTS = [...new Set(['/var/tmp', tmpdir(), '/var/lib'])];

/** The part of a shelter that belongs to PostgreSQL's user. */
export function dataFolderIn(shelter: string): string {
  return join(shelter, 'data');
}

/** The shelter of a home. Of a project that was moved it comes along, of one that was copied it does not. */
export async function findShelter(home: string): Promise<string | undefined> {
  const shelter = await readMovedTo(home);
  const marker = shelter && (await readMarker(shelter));
  if (!shelter || !marker) return undefined;
  const real = await realpath(home);
  if (marker.home === real) return shelter;
  if ((await readMovedTo(marker.home)) === shelter) return undefined;
  await writeMarker(shelter, real);
  return shelter;
}

/** Makes a shelter for a home in the folder `parent`. */
export async function makeShelter(home: string, parent: string): Promise<string> {
  const shelter = await mkdtemp(join(parent, PREFIX));
  await chmod(shelter, 0o711);
  // In this order: with its marker, but without a home that points to it, it could be swept away at once.
  await writeFile(join(home, 'moved-to'), shelter);
  await writeMarker(shelter, await realpath(home));
  return shelter;
}

/** From now on the home has no shelter; the one it had may be swept away. */
export async function forgetShelter(home: string): Promise<void> {
  await rm(join(home, 'moved-to'), { force: true });
}

/** Deletes the shelters whose home was removed or has another one by now, and stops what still runs there. */
export async function sweepShelters(parents: string[] = SHELTER_PARENTS): Promise<void> {
  for (const parent of parents) {
    const names = await readdir(parent).catch(() => []);
    for (const name of names.filter((each) => each.startsWith(PREFIX))) {
      // Somebody else may be sweeping the same one; what cannot be deleted is no reason not to start.
      await sweep(join(parent, name)).catch(() => undefined);
    }
  }
}

async function sweep(shelter: string): Promise<void> {
  const marker = await readMarker(shelter);
  if (!marker || !isAbandoned(marker, { host: hostname(), shelter, movedTo: await readMovedTo(marker.home) }))
    return;
  if (!(await stopPostmaster(join(dataFolderIn(shelter), 'cluster')))) return;
  await rm(shelter, { recursive: true, force: true });
}

async function readMovedTo(home: string): Promise<string | undefined> {
  return (await readFile(join(home, 'moved-to'), 'utf8').catch(() => '')).trim() || undefined;
}

async function readMarker(shelter: string): Promise<ShelterMarker | undefined> {
  const found = await lstat(shelter).catch(() => undefined);
  if (!found?.isDirectory() || found.uid !== 0 || !basename(shelter).startsWith(PREFIX)) return undefined;
  return parseShelterMarker(await readFile(join(shelter, 'moved-from'), 'utf8').catch(() => ''));
}

async function writeMarker(shelter: string, home: string): Promise<void> {
  const marker: ShelterMarker = { home, host: hostname() };
  await writeFile(join(shelter, 'moved-from'), JSON.stringify(marker), { mode: 0o600 });
}

const PREFIX = 'inbox-pg-';
