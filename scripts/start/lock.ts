import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** The right to use a folder. It ends with the process, however that ends. */
export type Lock = { release(): void };

/** Who has the lock already: the number of a process. */
export type Held = { heldBy: number };

/** The locks of this process. One that nothing refers to would be collected as garbage, and released with that. */
const locks = new Set<DatabaseSync>();

/**
 * Locks a folder for this process, or says which process has it. The lock is the operating system's, on a file in the
 * folder, and SQLite takes it alike on every system: it is free again at once when its process ends or is killed.
 * @throws when the folder cannot be made or written to
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

/** Whether a living process has locked a folder. */
export function isLocked(folder: string): boolean {
  if (!existsSync(join(folder, LOCK))) return false;
  const database = tryToLock(folder);
  database?.close();
  return database === undefined;
}

/** The file, opened and locked; undefined where another has locked it. */
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
/** Only says who: it may be left by a process that is gone. */
const OWNER = 'lock-owner';
/** To look whether a folder is locked takes the lock too, for less than these milliseconds. */
const LOOK_MS = 50;
const SQLITE_BUSY = 5;
