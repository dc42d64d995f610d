import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, lstat, mkdir, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Account,
  choosePostgresUser,
  firstClosedFolder,
  type RunAs,
} from '#scripts/postgres/postgres-user.ts';
import { stopPostmaster } from '#scripts/postgres/postmaster.ts';
import { makePrivateFolder, reachablePostgres } from '#scripts/postgres/reachable-postgres.ts';
import { codeOf, UserError } from '#server/core/user-error.ts';

export type PostgresFolder = { folder: string; installation: string; user: RunAs };

/** Folder for root's data if PostgreSQL's user cannot enter the home. It belongs to root and survives restarts. */
const OUTSIDE = '/var/lib/shared-inbox';

/**
 * Returns the data folder of the PostgreSQL with this home folder, which must exist: the home itself, or a folder
 * computed from its path if root starts and PostgreSQL's user cannot enter the home. A home without a password is
 * new, so data of an earlier home with the same path is deleted.
 * @param outside parent of computed folders
 * @throws UserError when PostgreSQL's user cannot store data or run programs
 */
export async function preparePostgresFolder(
  home: string,
  installed: string,
  outside = OUTSIDE,
): Promise<PostgresFolder> {
  if (process.getuid?.() !== 0) return { folder: home, installation: installed, user: {} };
  const computed = await computedFolder(home, outside);
  if (!existsSync(join(home, 'password'))) await removeFolder(computed);
  const user = await choosePostgresUser([join(computed, 'cluster'), join(home, 'cluster')]);
  const closed = await firstClosedFolder(home, user);
  if (closed === undefined && !existsSync(computed)) {
    const found = await prepare(home, installed, user);
    if (found) return found;
  }
  if (existsSync(join(home, 'cluster'))) {
    throw new UserError(
      `The database in ${home} was created when the user postgres could enter ${closed ?? home}: ` +
        `allow it again (chmod o+x ${closed ?? home}), or remove ${home}, which deletes its data.`,
    );
  }
  await makeOutside(outside, user);
  const found = await prepare(computed, installed, user);
  if (found) return found;
  throw new UserError(
    `The programs of PostgreSQL in ${installed} do not run on this machine: ` +
      'set DATABASE_URL to a PostgreSQL 15 or newer.',
  );
}

/** Returns the data folder of a home without creating it. */
export async function findPostgresFolder(home: string): Promise<string> {
  if (process.getuid?.() !== 0 || existsSync(join(home, 'cluster'))) return home;
  const computed = await computedFolder(home, OUTSIDE).catch(() => home);
  return existsSync(computed) ? computed : home;
}

async function computedFolder(home: string, outside: string): Promise<string> {
  return join(outside, hash('sha256', await realpath(home)).slice(0, 16));
}

async function prepare(
  folder: string,
  installed: string,
  user: Account,
): Promise<PostgresFolder | undefined> {
  await makePrivateFolder(folder, user);
  const installation = await reachablePostgres(installed, user, folder);
  return installation === undefined ? undefined : { folder, installation, user };
}

/** Only root may write to the parent folder, so no one can replace the data folder. */
async function makeOutside(outside: string, user: Account): Promise<void> {
  const refuse = (why: string) =>
    new UserError(
      `As root, PostgreSQL runs as the user postgres and stores its data in ${outside}, but ${why}: ` +
        'move the project to a folder everyone can enter, start as another user, or set DATABASE_URL.',
    );
  const closed = await firstClosedFolder(join(outside, 'data'), user);
  if (closed !== undefined && closed !== outside) throw refuse(`that user cannot enter ${closed}`);
  try {
    await mkdir(outside, { recursive: true });
    const { uid } = await lstat(outside);
    if (uid !== 0) throw refuse('that belongs to another user');
    await chmod(outside, 0o711);
  } catch (error) {
    throw error instanceof UserError ? error : refuse(`it cannot be created (${codeOf(error)})`);
  }
}

async function removeFolder(folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  if (!(await stopPostmaster(join(folder, 'cluster')))) {
    throw new UserError(`The PostgreSQL that runs on ${folder} does not stop: stop it.`);
  }
  await rm(folder, { recursive: true, force: true });
}
