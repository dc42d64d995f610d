import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { projectDir } from '#server/core/project.ts';

/** Returns one hash of the names and contents of files and folders. Missing ones are skipped. */
export async function hashFiles(
  paths: string[],
  wanted: (path: string) => boolean = () => true,
): Promise<string> {
  const files = (await Promise.all(paths.map(listFiles))).flat().filter(wanted).sort();
  const contents = await Promise.all(files.map((file) => readFile(join(projectDir, file))));
  const hash = createHash('sha256');
  for (const [index, content] of contents.entries())
    hash.update(`\0${files[index]}\0${content.length}\0`).update(content);
  return hash.digest('hex');
}

/**
 * Runs `work` unless `stampFile` contains `hash`. The stamp is deleted first, so that interrupted work runs again.
 */
export async function unlessDone(
  stampFile: string,
  hash: string,
  work: () => Promise<void>,
): Promise<boolean> {
  if ((await readFile(stampFile, 'utf8').catch(() => '')) === hash) return false;
  await rm(stampFile, { force: true });
  await work();
  await mkdir(dirname(stampFile), { recursive: true });
  await writeFile(stampFile, hash);
  return true;
}

async function listFiles(path: string): Promise<string[]> {
  const found = await stat(join(projectDir, path)).catch(() => undefined);
  if (!found?.isDirectory()) return found ? [path] : [];
  const names = await readdir(join(projectDir, path));
  return (await Promise.all(names.map((name) => listFiles(`${path}/${name}`)))).flat();
}
