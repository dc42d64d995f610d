import { execFile } from 'node:child_process';
import { chmod, chown, cp, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  binariesIn,
  installationOf,
  type PostgresBinaries,
  versionOf,
} from '#scripts/postgres/postgres-binaries.ts';
import type { Account, RunAs } from '#scripts/postgres/postgres-user.ts';

const run = promisify(execFile);

const COPY_PREFIX = 'programs-';

/**
 * Programs that `user` can run: the installed ones or, where these are out of reach, a copy inside `folder`,
 * made once per version. Undefined when the copy does not run either, for example on a disk mounted noexec.
 */
export async function reachablePostgres(
  installed: PostgresBinaries,
  user: Account,
  folder: string,
): Promise<PostgresBinaries | undefined> {
  if (await runsAs(user, installed)) return installed;
  const name = `${COPY_PREFIX}${await versionOf(installed)}`;
  const copy = binariesIn(join(folder, name), installed);
  if (await runsAs(user, copy)) return copy;
  await copyFor(user, installationOf(installed), join(folder, name));
  if (!(await runsAs(user, copy))) {
    await rm(join(folder, name), { recursive: true });
    return undefined;
  }
  const outdated = (await readdir(folder)).filter((each) => each.startsWith(COPY_PREFIX) && each !== name);
  for (const each of outdated) await rm(join(folder, each), { recursive: true, force: true });
  return copy;
}

/**
 * Tried rather than worked out from modes, which say nothing of access lists, mounts and libraries. The answer
 * is read, as a damaged program may pass for an empty shell script, which succeeds.
 */
async function runsAs(user: Account, { postgres }: PostgresBinaries): Promise<boolean> {
  return await run(postgres, ['--version'], { ...user, cwd: '/' }).then(
    ({ stdout }) => stdout.includes('PostgreSQL'),
    () => false,
  );
}

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
async function copyFor(user: Account, from: string, to: string): Promise<void> {
  const unfinished = `${to}-unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await cp(from, unfinished, { recursive: true, verbatimSymlinks: true });
  await run('chown', ['-Rh', `${user.uid}:${user.gid}`, unfinished]);
  await rm(to, { recursive: true, force: true });
  await rename(unfinished, to);
}
