import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ExplainedError, reasonOf } from '#scripts/explained-error.ts';
import type { RunAs } from '#scripts/postgres-user.ts';
import { projectDir, projectPath } from '#scripts/project.ts';

const run = promisify(execFile);

/**
 * Makes the data directory `cluster` inside `home` unless it is there. It is made under another name and then
 * renamed, so that a directory named `cluster` is always a complete one, wherever a crash interrupted.
 */
export async function ensureCluster(
  home: string,
  cluster: string,
  user: RunAs,
  durable: boolean,
): Promise<void> {
  if (existsSync(cluster)) return;
  const unfinished = `${cluster}-unfinished`;
  // initdb reads the password from a file in the temporary folder: a private one, not the machine's.
  const temporary = join(home, 'tmp');
  await rm(unfinished, { recursive: true, force: true });
  await makePrivateFolder(temporary, user);
  try {
    const flags = [...LOCALE_FLAGS, ...(durable ? [] : ['--no-sync'])];
    await run(process.execPath, [projectPath('scripts', 'initialise-cluster.ts'), unfinished, ...flags], {
      cwd: projectDir,
      env: { ...process.env, PGPASSWORD: await readPassword(home), TMPDIR: temporary, TMP: temporary },
    });
    await rename(unfinished, cluster);
  } catch (error) {
    const stderr = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
    throw new ExplainedError(
      `The embedded PostgreSQL could not be initialised in ${home}: ${stderr || reasonOf(error)}`,
    );
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** The password of the database's superuser: made once, readable only for the user who started us. */
export async function readPassword(home: string): Promise<string> {
  const file = join(home, 'password');
  if (!existsSync(file)) await writeFile(file, randomBytes(24).toString('base64url'), { mode: 0o600 });
  return (await readFile(file, 'utf8')).trim();
}

/** A folder that belongs to the user PostgreSQL runs as, and is closed to all others. */
export async function makePrivateFolder(folder: string, user: RunAs): Promise<void> {
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o700);
  if (user.uid !== undefined && user.gid !== undefined) await chown(folder, user.uid, user.gid);
}

/** PostgreSQL's own C.UTF-8: the same order and case rules on every machine, whatever locales it has. */
const LOCALE_FLAGS = [
  '--encoding=UTF8',
  '--locale=C',
  '--lc-messages=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
];
