import { execFile } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const OLDEST = 24;

/**
 * Returns the Node that runs the project: that of the package `node`, otherwise the machine's own if it is new
 * enough. npm may be configured not to run the install script that downloads the binary.
 */
export async function findNode(projectDir) {
  const folder = join(projectDir, 'node_modules', 'node');
  const bundled = join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(bundled) && realpathSync(bundled) === realpathSync(process.execPath)) return bundled;
  if (isNewEnough(await versionOf(bundled))) return bundled;

  console.log(`  ${'Node'.padEnd(20)} installing the version of the project …`);
  const output = await installBundled(folder);
  if (isNewEnough(await versionOf(bundled))) return bundled;
  if (isNewEnough(process.versions.node)) return process.execPath;
  throw new Error(
    `${output}Node ${OLDEST} could not be installed and this machine has Node ${process.versions.node}: ` +
      `install Node ${OLDEST} or newer from nodejs.org, then try again.`,
  );
}

/** Returns whether a version such as `v24.21.0` can run TypeScript by type stripping. */
function isNewEnough(version) {
  return Number.parseInt(version.replace(/^v/, ''), 10) >= OLDEST;
}

async function versionOf(binary) {
  const { stdout } = await run(binary, ['--version'], { timeout: 60_000 }).catch(() => ({ stdout: '' }));
  return stdout.trim();
}

/** Runs the package's install script. Returns its last lines if it failed. */
async function installBundled(folder) {
  const script = join(folder, 'installArchSpecificPackage.js');
  if (!existsSync(script)) return '';
  try {
    await run(process.execPath, [script], { cwd: folder, timeout: 600_000 });
    return '';
  } catch (error) {
    const text = String(error.stderr || error.message).trim();
    return `${text.split('\n').slice(-8).join('\n')}\n\n`;
  }
}
