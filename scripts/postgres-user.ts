import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { ExplainedError, reasonOf } from '#scripts/explained-error.ts';

/** Who PostgreSQL runs as. Empty when that is the user who started us. */
export type RunAs = { uid?: number; gid?: number };

type Folder = { mode: number; uid: number; gid: number };

const run = promisify(execFile);

/**
 * PostgreSQL refuses to run as root, so for root it runs as the user `postgres` (made when missing), or as
 * whoever owns the cluster already. That user must be able to reach `paths`, which is checked before anything
 * is written. Throws an `ExplainedError` naming the folder in the way.
 */
export async function choosePostgresUser(cluster: string, paths: string[]): Promise<RunAs> {
  if (process.getuid?.() !== 0) return {};
  const user = (await ownerOf(cluster)) ?? (await accountOf('postgres'));
  for (const path of paths) {
    const closed = await firstClosedFolder(path, user ?? NOBODY);
    if (closed === undefined) continue;
    throw new ExplainedError(
      `As root, PostgreSQL runs as the user postgres, who cannot enter ${closed}: allow it (chmod o+x ${closed}), ` +
        'move the project to a folder everyone can enter, or set DATABASE_URL.',
    );
  }
  return user ?? (await createAccount());
}

/** Whether someone may pass through a folder, by its owner, group and mode. */
export function mayEnter(folder: Folder, user: { uid: number; gid: number }): boolean {
  if (user.uid === folder.uid) return (folder.mode & 0o100) !== 0;
  if (user.gid === folder.gid) return (folder.mode & 0o010) !== 0;
  return (folder.mode & 0o001) !== 0;
}

/** The line of /etc/passwd for a user, as numbers. */
export function parseAccount(passwd: string, name: string): { uid: number; gid: number } | undefined {
  const line = passwd.split('\n').find((each) => each.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(':') ?? [];
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : undefined;
}

async function firstClosedFolder(
  path: string,
  user: { uid: number; gid: number },
): Promise<string | undefined> {
  const parents: string[] = [];
  for (let folder = dirname(path); !parents.includes(folder); folder = dirname(folder))
    parents.unshift(folder);
  for (const folder of parents) {
    const found = await stat(folder).catch(() => undefined);
    if (found && !mayEnter(found, user)) return folder;
  }
  return undefined;
}

async function ownerOf(cluster: string): Promise<{ uid: number; gid: number } | undefined> {
  const found = await stat(cluster).catch(() => undefined);
  return found && found.uid !== 0 ? { uid: found.uid, gid: found.gid } : undefined;
}

async function accountOf(name: string): Promise<{ uid: number; gid: number } | undefined> {
  return parseAccount(await readFile('/etc/passwd', 'utf8').catch(() => ''), name);
}

async function createAccount(): Promise<{ uid: number; gid: number }> {
  try {
    await run('useradd', ['--system', '--user-group', '--no-create-home', 'postgres']);
    const made = await accountOf('postgres');
    if (made) return made;
    throw new Error('useradd made no user');
  } catch (error) {
    throw new ExplainedError(
      `The user postgres, as whom PostgreSQL would run, cannot be made (${reasonOf(error)}): ` +
        'start as another user than root, or set DATABASE_URL.',
    );
  }
}

/** A user who owns nothing yet: only what is open to everyone. */
const NOBODY = { uid: -1, gid: -1 };
