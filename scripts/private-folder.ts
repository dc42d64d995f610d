import { chmod, chown, cp, lchown, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunAs } from '#scripts/postgres-user.ts';

/** A folder that belongs to the user PostgreSQL runs as, and is closed to all others. */
export async function makePrivateFolder(folder: string, user: RunAs): Promise<void> {
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o700);
  if (user.uid !== undefined && user.gid !== undefined) await chown(folder, user.uid, user.gid);
}

/**
 * Copies a folder for that user, symbolic links as they are. It is made under another name and then renamed,
 * so that `to` is always complete, wherever a crash interrupted; what was there before is replaced.
 */
export async function copyFor(user: RunAs, from: string, to: string): Promise<void> {
  const unfinished = `${to}-unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await cp(from, unfinished, { recursive: true, verbatimSymlinks: true });
  await giveTo(user, unfinished);
  await rm(to, { recursive: true, force: true });
  await rename(unfinished, to);
}

/** Makes that user the owner of a folder and of everything in it. */
async function giveTo(user: RunAs, folder: string): Promise<void> {
  const { uid, gid } = user;
  if (uid === undefined || gid === undefined) return;
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries) await lchown(join(entry.parentPath, entry.name), uid, gid);
  await lchown(folder, uid, gid);
}
