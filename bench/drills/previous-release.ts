import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { dataDirOf, projectDir } from '#server/core/project.ts';

const run = promisify(execFile);

/**
 * Unpacks a commit below the data folder, with its packages, its database client and its screens: minutes, the first time.
 * @returns its folder
 */
export async function prepareRelease(commit: string): Promise<string> {
  const { stdout } = await run('git', ['rev-parse', '--verify', `${commit}^{commit}`], { cwd: projectDir });
  const id = stdout.trim();
  const folder = join(dataDirOf(process.env), 'releases', id);
  const isBuilt = join(folder, '.data', 'release-is-built');
  if (existsSync(isBuilt)) return folder;
  console.log(`Preparing ${id.slice(0, 8)} in ${folder}.`);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const archive = spawn('git', ['archive', id], { cwd: projectDir, stdio: ['ignore', 'pipe', 'inherit'] });
  const unpack = spawn('tar', ['--extract', '--directory', folder], {
    stdio: [archive.stdout, 'ignore', 'inherit'],
  });
  const [code] = await once(unpack, 'close');
  if (code !== 0) throw new Error(`The commit ${id} could not be unpacked.`);
  const build = spawn(process.execPath, ['scripts/run.mjs', 'build'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [built] = await once(build, 'close');
  if (built !== 0) throw new Error(`The commit ${id} could not be built.`);
  await mkdir(join(folder, '.data'), { recursive: true });
  await writeFile(isBuilt, '');
  return folder;
}

/** Runs a script, which imports the modules of a release by their names there. Returns what it sends to this process. */
export async function runIn<Result>(folder: string, script: string): Promise<Result> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [sent] = await Promise.race([once(child, 'message'), once(child, 'close').then(() => [])]);
  if (sent === undefined) throw new Error('A script of the release sent no result.');
  return sent as Result;
}
