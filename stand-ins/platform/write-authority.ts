import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes the authority where the service looks for it. A rename, so that no reader meets half a file. */
export async function writeAuthority(dataDir: string, authority: string): Promise<string> {
  await mkdir(dataDir, { recursive: true });
  const path = join(dataDir, 'hooks-ca.pem');
  const draft = `${path}.${process.pid}.tmp`;
  await writeFile(draft, authority);
  await rename(draft, path);
  return path;
}
