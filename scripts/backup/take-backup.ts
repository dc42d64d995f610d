import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { Client } from 'pg';
import { findClientPrograms, runClientProgram } from '#scripts/backup/client-programs.ts';
import { copyStoredFiles, listStoredFiles } from '#scripts/backup/copy-stored-files.ts';
import { countRows, readServerMajor, SCHEMAS, withSession } from '#scripts/backup/database-session.ts';
import { checksumOf, DATABASE_FOLDER, type Manifest, writeManifest } from '#scripts/backup/manifest.ts';
import { directUrl } from '#server/core/database/pools.ts';
import { projectPath } from '#server/core/project.ts';
import { UserError } from '#server/core/user-error.ts';

export type BackupOptions = {
  /** Folder of all backups. */
  to: string;
  /** Number of complete backups that stay. */
  keep: number;
  /** Number of tables and files that are copied at the same time. */
  parallel: number;
  /** Stops it, with pg_dump. */
  signal?: AbortSignal;
};

/** Ending of a folder whose backup is not complete. */
const UNFINISHED = '.unfinished';
const COMPLETE = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/;
const LOCK = 'backup';

/**
 * Takes a backup while the service runs: the database in one snapshot, compressed and in parallel, with the files of the S3 store
 * that this snapshot names. Its folder gets its name when it is complete. Then removes the oldest ones.
 * @returns the folder
 * @throws UserError when another backup runs, or pg_dump is missing, too old or fails
 */
export async function takeBackup(
  { to, keep, parallel, signal }: BackupOptions,
  now = new Date(),
): Promise<string> {
  return withSession(async (client) => {
    await lockBackups(client);
    await mkdir(to, { recursive: true });
    await removeMatching(to, (name) => name.endsWith(UNFINISHED));
    const name = now
      .toISOString()
      .replace(/\.\d+Z$/, 'Z')
      .replaceAll(':', '-');
    const draft = join(to, `${name}${UNFINISHED}`);
    // Contains what contacts wrote: only this user can enter it.
    await mkdir(draft, { mode: 0o700 });
    const manifest = await copyAll(client, { folder: draft, parallel, now, stopped: signal });
    await writeManifest(draft, manifest);
    const folder = join(to, name);
    await rename(draft, folder);
    await removeOldest(to, keep);
    return folder;
  });
}

/** One backup at a time, of all machines. The lock ends with the session. */
async function lockBackups(client: Client): Promise<void> {
  const { rows } = await client.query<{ locked: boolean }>(
    'select pg_try_advisory_lock(hashtextextended($1, 0)) as locked',
    [LOCK],
  );
  if (!rows[0]?.locked) throw new UserError('Another backup of this database is running: wait for its end.');
}

type Copy = { folder: string; parallel: number; now: Date; stopped: AbortSignal | undefined };

/** Copies database and files. The first failure stops all parts. */
async function copyAll(client: Client, { folder, parallel, now, stopped }: Copy): Promise<Manifest> {
  const server = await readServerMajor(client);
  const programs = await findClientPrograms(server);
  const stop = new AbortController();
  const signal = stopped ? AbortSignal.any([stop.signal, stopped]) : stop.signal;
  // Ends the statement that counts rows, too.
  stopped?.addEventListener('abort', () => void client.end().catch(() => undefined), { once: true });
  const unlessStopped = <T>(work: Promise<T>) =>
    work.catch((error: unknown) => {
      stop.abort(error);
      throw error;
    });

  // The session is idle while pg_dump works.
  client.on('error', (error) => stop.abort(error));
  await client.query('begin isolation level repeatable read, read only');
  const snapshot = await exportSnapshot(client);
  const migration = await readMigration(client);
  const listed = await listStoredFiles(client);
  const dump = runClientProgram(
    programs,
    'pg_dump',
    [
      '--format=directory',
      `--jobs=${parallel}`,
      `--snapshot=${snapshot}`,
      ...SCHEMAS.map((name) => `--schema=${name}`),
      '--no-unlogged-table-data',
      `--file=${join(folder, DATABASE_FOLDER)}`,
    ],
    { url: directUrl(), signal },
  );
  const [rows, storedFiles] = await waitForAll([
    unlessStopped(countRows(client)),
    unlessStopped(copyStoredFiles(listed, { folder, parallel, signal })),
    unlessStopped(dump),
  ]);
  await client.query('commit');
  return {
    format: 1,
    version: await readVersion(),
    takenAt: now.toISOString(),
    migration,
    postgres: { server, client: programs.major },
    rows,
    storedFiles,
    files: await checksumsIn(folder),
  };
}

/** Waits until all parts have ended, also after a failure, so that none still writes into the folder. */
async function waitForAll<T extends unknown[]>(
  parts: [...{ [Key in keyof T]: Promise<T[Key]> }],
): Promise<T> {
  await Promise.allSettled(parts);
  return Promise.all(parts) as Promise<T>;
}

async function exportSnapshot(client: Client): Promise<string> {
  const { rows } = await client.query<{ id: string }>('select pg_export_snapshot() as id');
  return rows[0]?.id ?? '';
}

async function readMigration(client: Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `select migration_name as name from _prisma_migrations
     where finished_at is not null and rolled_back_at is null order by migration_name desc limit 1`,
  );
  const [newest] = rows;
  if (newest) return newest.name;
  throw new UserError('The database has no tables of the service: check DATABASE_URL.');
}

async function readVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(projectPath('package.json'), 'utf8'));
  return String(version);
}

async function checksumsIn(folder: string): Promise<Manifest['files']> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name));
  const files: Manifest['files'] = {};
  for (const path of paths.sort()) {
    files[relative(folder, path).replaceAll(sep, '/')] = await checksumOf(path);
  }
  return files;
}

/** Removes the oldest complete backups. Their names sort by time. */
async function removeOldest(to: string, keep: number): Promise<void> {
  const complete = (await readdir(to)).filter((name) => COMPLETE.test(name)).sort();
  const removed = new Set(complete.slice(0, Math.max(0, complete.length - keep)));
  await removeMatching(to, (name) => removed.has(name));
}

async function removeMatching(to: string, isRemoved: (name: string) => boolean): Promise<void> {
  for (const name of (await readdir(to)).filter(isRemoved)) {
    await rm(join(to, name), { recursive: true, force: true });
  }
}
