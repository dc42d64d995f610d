import { execFile } from 'node:child_process';
import { chown, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { reasonOf, UserError } from '#server/core/user-error.ts';

export type Account = { uid: number; gid: number };

/** User of PostgreSQL's programs. Empty means the current user. */
export type RunAs = Account | { uid?: never; gid?: never };

/**
 * Chooses the user for PostgreSQL, which refuses to run as root: the owner of the first existing cluster, otherwise
 * `postgres`, who is created if missing.
 */
export async function choosePostgresUser(clusters: string[]): Promise<Account> {
  for (const cluster of clusters) {
    const { uid, gid } = (await stat(cluster).catch(() => undefined)) ?? { uid: 0, gid: 0 };
    if (uid !== 0) return { uid, gid };
  }
  const there = await accountOf('postgres');
  if (there) return there;
  const args = ['--system', '--user-group', '--no-create-home', 'postgres'];
  const fault = await promisify(execFile)('useradd', args).then(() => 'useradd made no user', reasonOf);
  // Another start may have created the user in the meantime.
  const made = await accountOf('postgres');
  if (made) return made;
  throw new UserError(
    `The user postgres, who would run PostgreSQL, cannot be created (${fault}): ` +
      'start as another user than root, or set DATABASE_URL.',
  );
}

export async function giveTo(user: RunAs, path: string): Promise<void> {
  if (user.uid !== undefined) await chown(path, user.uid, user.gid);
}

/** Returns the topmost folder above `path` that the user cannot enter. */
export async function firstClosedFolder(path: string, user: Account): Promise<string | undefined> {
  const parent = dirname(path);
  const above = parent === path ? undefined : await firstClosedFolder(parent, user);
  if (above !== undefined) return above;
  const found = await stat(parent).catch(() => undefined);
  return found && !mayEnter(found, user) ? parent : undefined;
}

/** Returns whether a user may enter a folder, by owner, group and mode. */
export function mayEnter(folder: Account & { mode: number }, user: Account): boolean {
  if (user.uid === folder.uid) return (folder.mode & 0o100) !== 0;
  if (user.gid === folder.gid) return (folder.mode & 0o010) !== 0;
  return (folder.mode & 0o001) !== 0;
}

export function parseAccount(passwd: string, name: string): Account | undefined {
  const line = passwd.split('\n').find((each) => each.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(':') ?? [];
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : undefined;
}

async function accountOf(name: string): Promise<Account | undefined> {
  return parseAccount(await readFile('/etc/passwd', 'utf8').catch(() => ''), name);
}
