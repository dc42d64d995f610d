import { execFile } from 'node:child_process';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { binariesIn, installationOf, type PostgresBinaries, versionOf } from '#scripts/postgres-binaries.ts';
import type { Account } from '#scripts/postgres-user.ts';
import { copyFor } from '#scripts/private-folder.ts';

const run = promisify(execFile);

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

const COPY_PREFIX = 'programs-';
