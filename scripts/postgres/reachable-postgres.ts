import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { programIn } from '#scripts/postgres/postgres-installation.ts';
import { type Account, giveTo, type RunAs } from '#scripts/postgres/postgres-user.ts';

const run = promisify(execFile);

const COPY_PREFIX = 'programs-';

/**
 * Returns an installation whose programs `user` can run: the one that npm installed, or a copy in `folder`, made once
 * per version. Undefined if neither runs, for example on a disk mounted noexec.
 */
export async function reachablePostgres(
  installed: string,
  user: Account,
  folder: string,
): Promise<string | undefined> {
  if (await runsAs(user, installed)) return installed;
  const { version } = JSON.parse(await readFile(join(dirname(installed), 'package.json'), 'utf8'));
  const name = `${COPY_PREFIX}${version}`;
  const copy = join(folder, name);
  if (await runsAs(user, copy)) return copy;
  await copyFor(user, installed, copy);
  if (!(await runsAs(user, copy))) {
    await rm(copy, { recursive: true });
    return undefined;
  }
  const outdated = (await readdir(folder)).filter((each) => each.startsWith(COPY_PREFIX) && each !== name);
  for (const each of outdated) await rm(join(folder, each), { recursive: true, force: true });
  return copy;
}

/**
 * Runs the program, because modes say nothing about access lists, mounts and libraries. Reads its output, because a
 * damaged program may run as an empty shell script, which succeeds.
 */
async function runsAs(user: Account, installation: string): Promise<boolean> {
  return await run(programIn(installation, 'postgres'), ['--version'], { ...user, cwd: '/' }).then(
    ({ stdout }) => stdout.includes('PostgreSQL'),
    () => false,
  );
}

/** Creates a folder that only PostgreSQL's user can enter. */
export async function makePrivateFolder(folder: string, user: RunAs): Promise<void> {
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o700);
  await giveTo(user, folder);
}

/**
 * Copies a folder for a user, keeping symbolic links. It is copied under another name and renamed, so that `to` is
 * always complete.
 */
async function copyFor(user: Account, from: string, to: string): Promise<void> {
  const unfinished = `${to}-unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await cp(from, unfinished, { recursive: true, verbatimSymlinks: true });
  await run('chown', ['-Rh', `${user.uid}:${user.gid}`, unfinished]);
  await rm(to, { recursive: true, force: true });
  await rename(unfinished, to);
}
