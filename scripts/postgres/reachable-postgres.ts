import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { programIn } from '#scripts/postgres/postgres-installation.ts';
import { type Account, giveTo, type RunAs } from '#scripts/postgres/postgres-user.ts';

const run = promisify(execFile);

const COPY_PREFIX = 'programs-';

/**
 * An installation whose programs `user` can run: the one that npm made or, where that is out of reach, a copy inside
 * `folder`, made once per version. Undefined when the copy does not run either, for example on a disk mounted noexec.
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
 * Tried rather than worked out from modes, which say nothing of access lists, mounts and libraries. The output
 * is read, as a damaged program may pass for an empty shell script, which succeeds.
 */
async function runsAs(user: Account, installation: string): Promise<boolean> {
  return await run(programIn(installation, 'postgres'), ['--version'], { ...user, cwd: '/' }).then(
    ({ stdout }) => stdout.includes('PostgreSQL'),
    () => false,
  );
}

/** A folder that belongs to the user PostgreSQL runs as, and is closed to all others. */
export async function makePrivateFolder(folder: string, user: RunAs): Promise<void> {
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o700);
  await giveTo(user, folder);
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
