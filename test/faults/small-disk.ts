import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { codeOf } from '#server/core/user-error.ts';

const run = promisify(execFile);

/** A disk in memory that can be filled completely. */
export type SmallDisk = {
  /** A folder on it. */
  home: string;
  /** Fills the disk to the last byte. */
  fill(): Promise<void>;
  makeRoom(): Promise<void>;
  remove(): Promise<void>;
};

/**
 * Enough for a drill's data, PostgreSQL's log and, where its user cannot read the project, a copy of its
 * programs.
 */
const SIZE = '768m';
const CHUNK = Buffer.alloc(1024 * 1024);

/** Mounts a small disk. Returns undefined without the permission to mount. */
export async function makeSmallDisk(): Promise<SmallDisk | undefined> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined;
  const mountPoint = await mkdtemp(join(tmpdir(), 'drill-disk-'));
  // PostgreSQL runs as a separate user and needs access.
  await chmod(mountPoint, 0o755);
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${SIZE},mode=755`, 'drill-disk', mountPoint]);
  } catch {
    await rm(mountPoint, { recursive: true });
    return undefined;
  }
  const filler = join(mountPoint, 'filler');
  const home = join(mountPoint, 'postgres');
  await mkdir(home);
  let isFull = false;
  let filling = Promise.resolve();
  /** Also fills the space that PostgreSQL frees while the disk must stay full. */
  async function keepFull(): Promise<void> {
    const file = await open(filler, 'a');
    try {
      let size = CHUNK.length;
      while (isFull) {
        try {
          await file.write(CHUNK, 0, size);
        } catch (error) {
          if (codeOf(error) !== 'ENOSPC') throw error;
          if (size > 1) size = Math.ceil(size / 16);
          else await new Promise((resolve) => setTimeout(resolve, 20));
        }
      }
    } finally {
      await file.close();
    }
  }
  return {
    home,
    fill: async () => {
      isFull = true;
      filling = keepFull();
      filling.catch(() => undefined);
    },
    makeRoom: async () => {
      isFull = false;
      await filling;
      await rm(filler, { force: true });
    },
    remove: async () => {
      isFull = false;
      await run('umount', [mountPoint]);
      await rm(mountPoint, { recursive: true, force: true });
    },
  };
}
