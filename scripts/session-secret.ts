import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '#scripts/explained-error.ts';

/** The secret that signs sessions: made once and kept in the data folder, readable only for its owner. */
export async function readSessionSecret(dataDir: string): Promise<string> {
  const file = join(dataDir, 'session-secret');
  try {
    await writeFile(file, randomBytes(32).toString('hex'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  return (await readFile(file, 'utf8')).trim();
}
