import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { UserError } from '#server/core/user-error.ts';

const run = promisify(execFile);

export type WantedProgram = {
  debianPackage: string;
  /** Environment variable with its path. */
  setting: string;
  /** File names, in order of preference. Default: the package's name. */
  names?: string[];
  places?: string[];
  /** Argument with which it only prints its version. Default: `--version`. */
  versionArgument?: string;
};

/** Searched in addition to PATH. */
const USUAL_FOLDERS = ['/usr/bin', '/usr/sbin', '/usr/local/bin', '/opt/homebrew/bin'];

/**
 * Returns the path of a working program: the one that its setting names, otherwise an installed one. As root on
 * Debian installs a missing one. Undefined if there is none.
 * @throws UserError when the setting names one that does not start
 */
export async function findProgram(
  wanted: WantedProgram,
  say: (text: string) => void,
): Promise<string | undefined> {
  const given = process.env[wanted.setting];
  if (given) {
    if (await starts(given, wanted)) return given;
    throw new UserError(
      `${wanted.setting} names ${given}, which does not start: correct it or remove the setting.`,
    );
  }
  const found = await findInstalled(wanted);
  if (found) return found;
  say(`${wanted.debianPackage} is not installed: trying to install it.`);
  await install(wanted.debianPackage);
  return findInstalled(wanted);
}

/** Returns possible paths of a program, in order of preference. */
export function candidates(
  { debianPackage, names = [debianPackage], places = [] }: WantedProgram,
  env: Record<string, string | undefined>,
): string[] {
  const onPath = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const folders = [...new Set([...onPath, ...USUAL_FOLDERS])];
  return [...names.flatMap((name) => folders.map((folder) => join(folder, name))), ...places];
}

export async function findInstalled(wanted: WantedProgram): Promise<string | undefined> {
  for (const path of candidates(wanted, process.env)) {
    if (existsSync(path) && (await starts(path, wanted))) return path;
  }
  return undefined;
}

/** Runs the program, because some systems install a placeholder that only prints instructions. */
async function starts(path: string, { versionArgument = '--version' }: WantedProgram): Promise<boolean> {
  return await run(path, [versionArgument], { timeout: 30_000 }).then(
    () => true,
    () => false,
  );
}

/** Test files run in parallel, but apt-get does not: one lock for all. */
async function install(debianPackage: string): Promise<void> {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  const options = {
    // Single-user run level: the package starts no server.
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
    maxBuffer: 64 * 1024 * 1024,
  };
  const aptGet = (...args: string[]) =>
    run('flock', [join(tmpdir(), 'install-for-tests.lock'), 'apt-get', ...args], options).catch(
      () => undefined,
    );
  await aptGet('update');
  await aptGet('install', '-y', '--no-install-recommends', debianPackage);
}
