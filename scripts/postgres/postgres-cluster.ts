import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { PostgresFolder } from '#scripts/postgres/postgres-folder.ts';
import { programIn } from '#scripts/postgres/postgres-installation.ts';
import { giveTo } from '#scripts/postgres/postgres-user.ts';
import { reasonOf, UserError } from '#server/core/user-error.ts';

const run = promisify(execFile);

/**
 * Creates the data directory `cluster` if it is missing. It is created under another name and renamed, so that a
 * directory of that name is always complete.
 */
export async function ensureCluster(
  place: PostgresFolder,
  password: string,
  durable: boolean,
): Promise<void> {
  const { folder, installation, user } = place;
  const cluster = join(folder, 'cluster');
  if (existsSync(cluster)) return;
  const unfinished = `${cluster}-unfinished`;
  const passwordFile = join(folder, 'first-password');
  await rm(unfinished, { recursive: true, force: true });
  try {
    // initdb runs as another user and reads the password from a file.
    await rm(passwordFile, { force: true });
    await writeFile(passwordFile, `${password}\n`, { mode: 0o600, flag: 'wx' });
    await giveTo(user, passwordFile);
    const { stdout: help } = await run(programIn(installation, 'initdb'), ['--help'], {
      ...user,
      cwd: folder,
    });
    const flags = [
      ...FLAGS,
      ...(help.includes('--builtin-locale') ? LOCALE_FLAGS : []),
      `--pwfile=${passwordFile}`,
      ...(durable ? [] : ['--no-sync']),
    ];
    await run(programIn(installation, 'initdb'), [`--pgdata=${unfinished}`, ...flags], {
      ...user,
      cwd: folder,
      env: { ...process.env, LC_ALL: 'C' },
    });
    await rename(unfinished, cluster);
  } catch (error) {
    const stderr = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
    throw new UserError(
      `The embedded PostgreSQL could not be initialized in ${folder}: ${stderr || reasonOf(error)}`,
    );
  } finally {
    await rm(passwordFile, { force: true });
  }
}

/** Returns the superuser's password. Creates it once, readable only by the current user. */
export async function readPassword(home: string): Promise<string> {
  const file = join(home, 'password');
  if (!existsSync(file)) await writeFile(file, randomBytes(24).toString('base64url'), { mode: 0o600 });
  return (await readFile(file, 'utf8')).trim();
}

const FLAGS = [
  '--username=postgres',
  '--auth=scram-sha-256',
  '--encoding=UTF8',
  '--locale=C',
  '--lc-messages=C',
];
/** The built-in locale C.UTF-8 sorts the same on every machine. PostgreSQL has it since version 17. */
const LOCALE_FLAGS = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
