import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { compareSchemas } from '#prisma/engine/schema-engine.ts';
import { projectPath } from '#server/core/project.ts';
import { codeOf, runCli, UserError } from '#server/core/user-error.ts';

/**
 * SHA-256 of the schema after all migrations. Its text comes from the Git history: comparing with a database would
 * also show hand-written SQL (checks, partial indexes), which a schema file cannot express.
 */
const MIGRATED_SCHEMA = 'schema.sha256';

/** Returns whether the schema says something that the migrations of `folder` do not, comments apart. */
export async function schemaNeedsMigration(schemaFile: string, folder: string): Promise<boolean> {
  return (await readHash(folder)) !== hashOf(await readFile(schemaFile, 'utf8'));
}

/**
 * Writes the next migration and returns its folder's name, or undefined without a change. Add by hand what the schema
 * cannot express.
 */
export async function newMigration(
  name: string,
  now = new Date(),
  schemaFile = projectPath('prisma', 'schema.prisma'),
  folder = projectPath('prisma', 'migrations'),
): Promise<string | undefined> {
  if (!(await schemaNeedsMigration(schemaFile, folder))) return undefined;
  const hash = await readHash(folder);
  const before = hash === undefined ? undefined : await findSchema(hash, schemaFile);
  const after = await readFile(schemaFile, 'utf8');
  const directory = migrationName(name, now);
  const sql = await compareSchemas(before, after);
  await mkdir(join(folder, directory), { recursive: true });
  await writeFile(join(folder, directory, 'migration.sql'), sql, { flag: 'wx' });
  await writeFile(join(folder, MIGRATED_SCHEMA), `${hashOf(after)}\n`);
  await writeFile(join(folder, 'migration_lock.toml'), 'provider = "postgresql"\n');
  return directory;
}

/** Returns a name such as `20261121062929_add_tags`, with the time in UTC. */
export function migrationName(name: string, now: Date): string {
  const slug = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '');
  if (slug === '') {
    throw new UserError('Name the migration after what it changes: npm run db:new-migration -- add tags');
  }
  return `${now
    .toISOString()
    .replaceAll(/[^0-9]/g, '')
    .slice(0, 14)}_${slug}`;
}

/** Returns the newest committed text of the schema file that has this hash. */
async function findSchema(hash: string, schemaFile: string): Promise<string> {
  const file = `./${basename(schemaFile)}`;
  const commits = await git(schemaFile, ['log', '--format=%H', '--', file]);
  for (const commit of commits.split('\n').filter((line) => line !== '')) {
    const text = await git(schemaFile, ['show', `${commit}:${file}`]);
    if (hashOf(text) === hash) return text;
  }
  throw new UserError(
    'No commit has the schema of the last migration: commit that migration first, in a clone with its history.',
  );
}

async function git(schemaFile: string, args: string[]): Promise<string> {
  const options = { cwd: dirname(schemaFile), maxBuffer: 16 * 1024 * 1024 };
  const { stdout } = await promisify(execFile)('git', args, options);
  return stdout;
}

async function readHash(folder: string): Promise<string | undefined> {
  try {
    return (await readFile(join(folder, MIGRATED_SCHEMA), 'utf8')).trim();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Returns the hash of a schema without its comments and white space. */
function hashOf(schema: string): string {
  const code = schema.replaceAll(/"(?:[^"\\\n]|\\.)*"|\/\/.*/g, (part) => (part.startsWith('"') ? part : ''));
  return createHash('sha256').update(code.replaceAll(/\s+/g, ' ').trim()).digest('hex');
}

if (import.meta.main) {
  await runCli(async () => {
    const made = await newMigration(process.argv.slice(2).join(' '));
    console.log(
      made
        ? `Wrote prisma/migrations/${made}/migration.sql: read it, then add what the schema cannot express.`
        : 'prisma/schema.prisma has no changes since the last migration: no migration was written.',
    );
  });
}
