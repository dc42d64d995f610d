import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { candidates } from '#scripts/tools/find-program.ts';
import { reasonOf, UserError } from '#server/core/user-error.ts';

const run = promisify(execFile);

/** `pg_dump` and `pg_restore` of one installation, with their major version. */
export type ClientPrograms = { folder: string; major: number };

/** A version that every pg_dump has reached. */
export const ANY_MAJOR = 1;

/** Installations of Debian's packages. The programs in /usr/bin choose one by themselves, perhaps an older one. */
const DEBIAN = '/usr/lib/postgresql/*/bin/pg_dump';

/**
 * Finds PostgreSQL's programs: in the folder that `POSTGRES_BIN_DIR` names, otherwise the newest installed ones.
 * @param neededMajor major version of the server, which the programs must have reached
 * @throws UserError when there are none, or only older ones
 */
export async function findClientPrograms(
  neededMajor: number,
  env: Record<string, string | undefined> = process.env,
): Promise<ClientPrograms> {
  const given = env.POSTGRES_BIN_DIR;
  const wanted = { debianPackage: 'postgresql-client', setting: 'POSTGRES_BIN_DIR', names: ['pg_dump'] };
  const paths = given ? [join(given, 'pg_dump')] : [...globSync(DEBIAN), ...candidates(wanted, env)];
  const found = await Promise.all(
    paths.map(async (path) => ({ folder: dirname(path), major: await majorOf(path) })),
  );
  const newest = found.toSorted((a, b) => b.major - a.major)[0];
  if (newest && newest.major >= neededMajor) return newest;
  const client = neededMajor === ANY_MAJOR ? 'postgresql' : `postgresql-client-${neededMajor}`;
  const how =
    `Install the package ${client} (Debian has it in its own or in PostgreSQL's package repository), ` +
    'or set POSTGRES_BIN_DIR to a folder with pg_dump and pg_restore.';
  if (!newest || newest.major === 0) {
    const where = given ? ` in ${given}, which POSTGRES_BIN_DIR names` : ' on this machine';
    throw new UserError(`pg_dump was not found${where}. ${how}`);
  }
  throw new UserError(
    `pg_dump ${newest.major} in ${newest.folder} is too old for PostgreSQL ${neededMajor}. ${how}`,
  );
}

/** Returns the major version of a program, or 0 when it does not start. */
async function majorOf(path: string): Promise<number> {
  const { stdout } = await run(path, ['--version'], { timeout: 30_000 }).catch(() => ({ stdout: '' }));
  return Number(/\) (\d+)/.exec(stdout)?.[1] ?? 0);
}

/** Parameters of an address that these programs know as well. Others are of Node's driver. */
const SHARED_PARAMETERS = ['host', 'port', 'sslmode', 'sslcert', 'sslkey', 'sslrootcert'];

/** Returns the address without its password for a command line, which others can see, and the environment with it. */
export function splitAddress(url: string): { address: string; env: Record<string, string> } {
  const parsed = new URL(url);
  const password = decodeURIComponent(parsed.password);
  parsed.password = '';
  for (const name of [...parsed.searchParams.keys()]) {
    if (!SHARED_PARAMETERS.includes(name)) parsed.searchParams.delete(name);
  }
  // The driver's name for a connection whose certificate is not checked.
  if (parsed.searchParams.get('sslmode') === 'no-verify') parsed.searchParams.set('sslmode', 'require');
  return { address: parsed.href, env: password === '' ? {} : { PGPASSWORD: password } };
}

/**
 * Runs `pg_dump` or `pg_restore` on a database, and returns its output.
 * @param isHarmless returns whether a program that failed with this output has done all of its work
 * @throws UserError with what the program wrote
 */
export async function runClientProgram(
  { folder }: ClientPrograms,
  name: 'pg_dump' | 'pg_restore',
  args: string[],
  {
    url,
    signal,
    isHarmless = () => false,
  }: { url?: string; signal?: AbortSignal; isHarmless?: (stderr: string) => boolean } = {},
): Promise<string> {
  const { address, env } = url === undefined ? { address: undefined, env: {} } : splitAddress(url);
  const target = address === undefined ? [] : [`--dbname=${address}`];
  try {
    const { stdout } = await run(join(folder, name), [...args, ...target], {
      env: { ...process.env, ...env, LC_ALL: 'C' },
      maxBuffer: OUTPUT_BYTES,
      ...(signal ? { signal } : {}),
    });
    return stdout;
  } catch (error) {
    signal?.throwIfAborted();
    const stderr = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
    if (isHarmless(stderr)) return '';
    throw new UserError(`${name} failed: ${stderr.slice(-OUTPUT_SHOWN) || reasonOf(error)}`);
  }
}

/** A dump, and the database into which it is restored. `server`: its major version. */
export type RestoreTarget = { programs: ClientPrograms; server: number; url: string; dump: string };

/** The first version of pg_restore that begins each session with `set transaction_timeout = 0`, and of the servers that know it. */
const TRANSACTION_TIMEOUT = 17;

/**
 * Runs pg_restore until its first error. On a server that is too old for the settings of this pg_restore, it has to continue after an error, so
 * the errors are judged at its end.
 * @throws UserError with what the program wrote
 */
export async function runRestore(
  { programs, server, url, dump }: RestoreTarget,
  options: string[],
): Promise<void> {
  const isTooNew = programs.major >= TRANSACTION_TIMEOUT && server < TRANSACTION_TIMEOUT;
  const args = [...options, ...(isTooNew ? [] : ['--exit-on-error']), dump];
  await runClientProgram(programs, 'pg_restore', args, {
    url,
    isHarmless: (stderr) => isTooNew && hasOnlyUnknownTimeouts(stderr),
  });
}

/** Returns whether pg_restore came to its end, and only the setting was refused. */
function hasOnlyUnknownTimeouts(stderr: string): boolean {
  const errors = stderr.split('\n').filter((line) => line.startsWith('pg_restore: error: '));
  const hasEnded = /\npg_restore: warning: errors ignored on restore: \d+$/.test(stderr);
  return hasEnded && errors.every((line) => line.includes('"transaction_timeout"'));
}

/** The list of a dump has a line for each object. */
const OUTPUT_BYTES = 64 * 1024 * 1024;
const OUTPUT_SHOWN = 2_000;
