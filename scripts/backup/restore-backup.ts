import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from 'pg';
import { readMigrationFiles } from '#prisma/engine/migration-files.ts';
import { MIGRATE_LOCK, migrate } from '#prisma/migrate.ts';
import {
  findClientPrograms,
  type RestoreTarget,
  runClientProgram,
  runRestore,
} from '#scripts/backup/client-programs.ts';
import { putStoredFiles } from '#scripts/backup/copy-stored-files.ts';
import {
  countRows,
  readServerMajor,
  requireNoOtherSessions,
  withSession,
} from '#scripts/backup/database-session.ts';
import { holdWork } from '#scripts/backup/held-work.ts';
import { DATABASE_FOLDER, type Manifest, readManifest, verifyFiles } from '#scripts/backup/manifest.ts';
import { directUrl } from '#server/core/database/pools.ts';
import { settings } from '#server/core/env.ts';
import { projectPath } from '#server/core/project.ts';
import { UserError } from '#server/core/user-error.ts';

/** Table whose rows are restored last. Without them no worker starts, and no server is ready. */
const LAST_TABLE = '_prisma_migrations';

/**
 * Restores a verified backup into an empty installation, and holds what it would send again (docs/backup.md).
 * @throws UserError when the backup is damaged or of a newer version, the installation is not empty or in use, or pg_restore is missing
 *   or fails
 */
export async function restoreBackup(
  folder: string,
  { parallel, say }: { parallel: number; say: (text: string) => void },
): Promise<Manifest> {
  const manifest = await verifyBackup(folder);
  say(`Verified ${Object.keys(manifest.files).length} files of ${manifest.takenAt}.`);
  await requireKnown(manifest);
  if (manifest.storedFiles.length > 0 && settings().S3_URL === undefined) {
    throw new UserError(
      `S3_URL is not set: the backup has ${manifest.storedFiles.length} files for the store.`,
    );
  }
  await withSession(async (client) => {
    const server = await readServerMajor(client);
    const programs = await findClientPrograms(Math.max(server, manifest.postgres.client));
    // No migration runs beside the restore.
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [MIGRATE_LOCK]);
    await requireUnused(client);
    await emptyDatabase(client);
    await putStoredFiles(manifest.storedFiles, { folder, parallel });
    if (manifest.storedFiles.length > 0) say(`Stored ${manifest.storedFiles.length} files.`);
    const target = { programs, server, url: directUrl(), dump: join(folder, DATABASE_FOLDER) };
    await restoreTables(target, parallel);
    await compareRows(client, manifest);
    await holdWork(client);
    await restoreLastTable(target);
    await client.query('analyze');
  });
  await migrate(directUrl());
  return manifest;
}

/** @throws UserError when a file of the backup is missing or damaged */
export async function verifyBackup(folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder);
  await verifyFiles(folder, manifest);
  return manifest;
}

async function requireKnown({ migration, version }: Manifest): Promise<void> {
  const known = await readMigrationFiles(projectPath('prisma', 'migrations'));
  if (known.some(({ name }) => name === migration)) return;
  throw new UserError(
    `The backup is of version ${version}, whose migration ${migration} this version does not have: restore it with that version or a newer one.`,
  );
}

async function requireUnused(client: Client): Promise<void> {
  await requireNoOtherSessions(client);
  const { rows } = await client.query<{ tables: number; name: string; isOurs: boolean }>(
    `select count(*)::int as tables, current_database() as name, to_regclass('public._prisma_migrations') is not null as "isOurs"
     from pg_class where relkind in ('r', 'p', 'v') and relnamespace = 'public'::regnamespace`,
  );
  const { tables = 0, name = '', isOurs = false } = rows[0] ?? {};
  if (tables === 0) return;
  const hasUsers =
    isOurs && (await client.query('select from users union all select from workspaces limit 1'));
  if (hasUsers && hasUsers.rowCount === 0) return;
  throw new UserError(
    `The database ${name} is not empty. A restore never overwrites: create a new database, and name it in DATABASE_URL.`,
  );
}

/** Removes the tables of an installation that nobody has used. The new schema belongs to this user, as the tables will. */
async function emptyDatabase(client: Client): Promise<void> {
  await client.query(`
    begin;
    drop schema if exists graphile_worker cascade;
    drop schema if exists public cascade;
    create schema public;
    grant usage on schema public to public;
    commit`);
}

const OPTIONS = ['--no-owner', '--no-privileges'];

async function restoreTables(target: RestoreTarget, parallel: number): Promise<void> {
  const { programs, dump } = target;
  const list = await runClientProgram(programs, 'pg_restore', ['--list', dump]);
  const left = list
    .split('\n')
    .filter((line) => !line.includes(` TABLE DATA public ${LAST_TABLE} `) && !/ SCHEMA - public /.test(line));
  const folder = await mkdtemp(join(tmpdir(), 'restore-'));
  try {
    await writeFile(join(folder, 'list'), left.join('\n'));
    await runRestore(target, [...OPTIONS, `--jobs=${parallel}`, `--use-list=${join(folder, 'list')}`]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function restoreLastTable(target: RestoreTarget): Promise<void> {
  await runRestore(target, [...OPTIONS, '--data-only', '--schema=public', `--table=${LAST_TABLE}`]);
}

async function compareRows(client: Client, manifest: Manifest): Promise<void> {
  const restored = await countRows(client);
  const wrong = Object.entries(manifest.rows).filter(
    ([table, count]) => table !== `public.${LAST_TABLE}` && restored[table] !== count,
  );
  if (wrong.length === 0) return;
  const lines = wrong.map(
    ([table, count]) => `${table} has ${restored[table] ?? 'no'} rows instead of ${count}`,
  );
  throw new UserError(`The restored database differs from the backup.\n${lines.join('\n')}`);
}
