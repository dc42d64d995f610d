import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { UserError } from '#server/core/user-error.ts';

const run = promisify(execFile);

/** A program that tests need and npm does not bring. */
export type WantedProgram = {
  /** The package of Debian that has it. */
  debianPackage: string;
  /** The environment variable that may name it. */
  setting: string;
  /** What its file may be called, the likeliest first; by default as its package. */
  names?: string[];
  /** Where else it may be, as whole paths. */
  places?: string[];
};

/** Searched besides the folders of PATH, which of some users lacks a few. */
const USUAL_FOLDERS = ['/usr/bin', '/usr/sbin', '/usr/local/bin', '/opt/homebrew/bin'];

/**
 * The path of a program that starts: the one that its setting names, else one that is installed. If there is none it
 * is installed where that is possible, as root on Debian. Undefined when there is none to be had.
 * @throws UserError when the setting names one that does not start
 */
export async function findProgram(
  wanted: WantedProgram,
  say: (text: string) => void,
): Promise<string | undefined> {
  const given = process.env[wanted.setting];
  if (given) {
    if (await starts(given)) return given;
    throw new UserError(
      `${wanted.setting} names ${given}, which does not start: correct it or remove the setting.`,
    );
  }
  const found = await findInstalled(wanted);
  if (found) return found;
  say(`There is no ${wanted.debianPackage}: trying to install it.`);
  await install(wanted.debianPackage);
  return findInstalled(wanted);
}

/** Where a program may be, the likeliest first. */
export function candidates(
  { debianPackage, names = [debianPackage], places = [] }: WantedProgram,
  env: Record<string, string | undefined>,
): string[] {
  const onPath = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const folders = [...new Set([...onPath, ...USUAL_FOLDERS])];
  return [...names.flatMap((name) => folders.map((folder) => join(folder, name))), ...places];
}

/** The path of one that is installed and starts, whatever its setting says; undefined when there is none. */
export async function findInstalled(wanted: WantedProgram): Promise<string | undefined> {
  for (const path of candidates(wanted, process.env)) {
    if (existsSync(path) && (await starts(path))) return path;
  }
  return undefined;
}

/** Some systems install a stand-in that only says where the real one is to be had. */
async function starts(path: string): Promise<boolean> {
  return await run(path, ['--version'], { timeout: 30_000 }).then(
    () => true,
    () => false,
  );
}

/** Test files run side by side, and apt-get does not: one lock for all. */
async function install(debianPackage: string): Promise<void> {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  const options = {
    // As if for a single user: a package then starts no server of its own.
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
