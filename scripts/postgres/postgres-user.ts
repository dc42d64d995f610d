import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { reasonOf, UserError } from '#scripts/tools/user-error.ts';

/** Who PostgreSQL runs as. Empty when that is the user who started us. */
export type RunAs = { uid?: number; gid?: number };

/** A user of this machine. */
export type Account = { uid: number; gid: number };

type Folder = { mode: number; uid: number; gid: number };

const run = promisify(execFile);

/**
 * PostgreSQL refuses to run as root, so for root it runs as the owner of the first of `clusters` that is there
 * already, else as the user `postgres`, who is made when missing.
 */
export async function choosePostgresUser(clusters: string[]): Promise<Account> {
  for (const cluster of clusters) {
    const owner = await ownerOf(cluster);
    if (owner) return owner;
  }
  return (await accountOf('postgres')) ?? (await createAccount());
}

/** Whether someone may pass through a folder, by its owner, group and mode. */
export function mayEnter(folder: Folder, user: Account): boolean {
  if (user.uid === folder.uid) return (folder.mode & 0o100) !== 0;
  if (user.gid === folder.gid) return (folder.mode & 0o010) !== 0;
  return (folder.mode & 0o001) !== 0;
}

/** The line of /etc/passwd for a user, as numbers. */
export function parseAccount(passwd: string, name: string): Account | undefined {
  const line = passwd.split('\n').find((each) => each.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(':') ?? [];
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : undefined;
}

/** The uppermost of the folders around `path` that someone cannot pass through. */
export async function firstClosedFolder(path: string, user: Account): Promise<string | undefined> {
  const parents: string[] = [];
  for (let folder = dirname(path); !parents.includes(folder); folder = dirname(folder))
    parents.unshift(folder);
  for (const folder of parents) {
    const found = await stat(folder).catch(() => undefined);
    if (found && !mayEnter(found, user)) return folder;
  }
  return undefined;
}

async function ownerOf(cluster: string): Promise<Account | undefined> {
  const found = await stat(cluster).catch(() => undefined);
  return found && found.uid !== 0 ? { uid: found.uid, gid: found.gid } : undefined;
}

async function accountOf(name: string): Promise<Account | undefined> {
  return parseAccount(await readFile('/etc/passwd', 'utf8').catch(() => ''), name);
}

async function createAccount(): Promise<Account> {
  try {
    await run('useradd', ['--system', '--user-group', '--no-create-home', 'postgres']);
    const made = await accountOf('postgres');
    if (made) return made;
    throw new Error('useradd made no user');
  } catch (error) {
    throw new UserError(
      `The user postgres, as whom PostgreSQL would run, cannot be made (${reasonOf(error)}): ` +
        'start as another user than root, or set DATABASE_URL.',
    );
  }
}
