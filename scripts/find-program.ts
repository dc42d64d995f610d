import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A program that tests run: its name, which is also its Debian package's, and the variable that may name its path. */
export type Program = { name: string; pathVariable: string };

/**
 * The path of a program for the tests: the one that its variable names, or one that is installed. If there is none it is
 * installed where that is possible. Undefined when there is none to be had.
 */
export async function findProgram(
  { name, pathVariable }: Program,
  say: (text: string) => void,
): Promise<string | undefined> {
  const given = process.env[pathVariable];
  if (given) return (await starts(given)) ? given : undefined;
  const found = await findInstalled(name);
  if (found) return found;
  say(`No ${name} is installed: trying to install one.`);
  await install(name);
  return findInstalled(name);
}

async function findInstalled(name: string): Promise<string | undefined> {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  for (const folder of [...folders, ...USUAL_FOLDERS]) {
    const path = join(folder, name);
    if (existsSync(path) && (await starts(path))) return path;
  }
  return undefined;
}

async function starts(path: string): Promise<boolean> {
  return await run(path, ['--version'], { timeout: 30_000 }).then(
    () => true,
    () => false,
  );
}

async function install(name: string): Promise<void> {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  const options = {
    // As if for a single user: the package then starts no server of its own.
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
    maxBuffer: 64 * 1024 * 1024,
  };
  // Test files run side by side, and apt-get does not.
  const aptGet = (...args: string[]) =>
    run('flock', [join(tmpdir(), 'install-test-program.lock'), 'apt-get', ...args], options).catch(
      () => undefined,
    );
  await aptGet('update');
  await aptGet('install', '-y', '--no-install-recommends', name);
}

const USUAL_FOLDERS = ['/usr/bin', '/usr/sbin', '/usr/local/bin', '/opt/homebrew/bin'];
