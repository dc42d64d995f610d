import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** A lock on a folder. It ends with the process. */
export type Lock = { release(): void };

/** Process id of the lock's owner. */
export type Held = { heldBy: number };

/** Locks of this process. Garbage collection would release a lock without references. */
const locks = new Set<DatabaseSync>();

/**
 * Locks a folder for this process, or returns which process has locked it. SQLite locks a file in the folder through
 * the operating system, which frees it when the process ends or is killed.
 * @throws when the folder cannot be created or written to
 */
export async function lock(folder: string): Promise<Lock | Held> {
  await mkdir(folder, { recursive: true });
  const database = tryToLock(folder);
  if (!database) return { heldBy: await ownerOf(folder) };
  locks.add(database);
  await writeFile(join(folder, OWNER), `${process.pid}\n`);
  return {
    release: () => {
      if (locks.delete(database)) database.close();
    },
  };
}

export function isLocked(folder: string): boolean {
  if (!existsSync(join(folder, LOCK))) return false;
  const database = tryToLock(folder);
  database?.close();
  return database === undefined;
}

/** Returns the opened and locked file, or undefined if another process has locked it. */
function tryToLock(folder: string): DatabaseSync | undefined {
  const database = new DatabaseSync(join(folder, LOCK), { timeout: LOOK_MS });
  try {
    database.exec('begin exclusive');
    return database;
  } catch (error) {
    database.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) return undefined;
    throw error;
  }
}

async function ownerOf(folder: string): Promise<number> {
  return Number(await readFile(join(folder, OWNER), 'utf8').catch(() => 0));
}

const LOCK = 'lock';
/** Informative only: the file may be from a process that has ended. */
const OWNER = 'lock-owner';
/** Checking for a lock takes the lock too, for at most this time, in ms. */
const LOOK_MS = 50;
const SQLITE_BUSY = 5;
