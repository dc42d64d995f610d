import { Readable } from 'node:stream';
import { EXPORT_TABLES, type ExportTable } from '#server/administration/export/export-tables.ts';
import { FILE_LISTS, readFiles } from '#server/administration/export/read-files.ts';
import { type RowPosition, readRows } from '#server/administration/export/read-rows.ts';
import type { ZipEntry } from '#server/administration/privacy/write-zip.ts';
import { db } from '#server/core/database/prisma.ts';
import { notExpired, openFile } from '#server/inbox/files/file-store.ts';

/**
 * Where an archive starts: in a table or list of files, at a position in it. `step` counts them in one release: another release
 * finds them by their name (`nameOfStep`).
 */
export type ExportCursor = { step: number } & RowPosition;

/** The archive that is written. `cursor`: after what was written. `isFull`: the next archive continues there. */
export type ArchiveState = {
  cursor: ExportCursor;
  rows: number;
  files: number;
  bytes: number;
  isFull: boolean;
};

export const FIRST: ExportCursor = { step: 0, from: null, after: null };
const STEPS = [...EXPORT_TABLES.map(({ table }) => table), ...FILE_LISTS.map(({ folder }) => `${folder}/`)];

/** Returns the name of a table or list of files. */
export function nameOfStep(step: number): string | undefined {
  return STEPS[step];
}

/** Returns the step with a name. A cursor of an older release has none, and a later release may have removed it: both have the number. */
export function stepNamed(name: string | undefined, step: number): number {
  const found = name === undefined ? -1 : STEPS.indexOf(name);
  return found < 0 ? step : found;
}

/**
 * Yields the entries of an archive, from the cursor of `state` until it has `maxBytes` or nothing is left. Changes `state` as entries are
 * read. An entry that does not fit continues in the next archive, under the same name.
 */
export async function* archiveEntries(
  workspaceId: string,
  state: ArchiveState,
  { maxBytes, onProgress }: { maxBytes: number; onProgress: () => Promise<void> },
): AsyncGenerator<ZipEntry> {
  const isFull = () => {
    state.isFull ||= state.bytes >= maxBytes;
    return state.isFull;
  };
  while (state.cursor.step < STEPS.length) {
    const table = EXPORT_TABLES[state.cursor.step];
    if (table) {
      const lines = linesOf(table, { workspaceId, state, isFull, onProgress });
      yield { path: `${table.table}.jsonl`, open: () => Readable.from(lines, { objectMode: false }) };
    } else yield* filesOf({ workspaceId, state, isFull, onProgress });
    if (state.isFull) return;
    state.cursor = { step: state.cursor.step + 1, from: null, after: null };
    if (state.cursor.step < STEPS.length && isFull()) return;
  }
}

type Reading = {
  workspaceId: string;
  state: ArchiveState;
  isFull: () => boolean;
  onProgress: () => Promise<void>;
};

async function* linesOf(
  table: ExportTable,
  { workspaceId, state, isFull, onProgress }: Reading,
): AsyncGenerator<string> {
  for (;;) {
    const { step, ...position } = state.cursor;
    const { lines, next } = await readRows(table, workspaceId, position);
    if (lines.length > 0) yield `${lines.join('\n')}\n`;
    state.rows += lines.length;
    state.bytes += lines.reduce((sum, line) => sum + line.length + 1, 0);
    await onProgress();
    if (next === null) return;
    state.cursor = { step, ...next };
    if (isFull()) return;
  }
}

async function* filesOf({ workspaceId, state, isFull, onProgress }: Reading): AsyncGenerator<ZipEntry> {
  const list = FILE_LISTS[state.cursor.step - EXPORT_TABLES.length];
  if (list === undefined) return;
  for (;;) {
    const { files, isLast } = await readFiles(list, workspaceId, state.cursor.after);
    for (const { fileId, path, sizeBytes, key } of files) {
      const source = await openStored(fileId);
      if (source) {
        yield { path, open: () => source };
        state.files += 1;
        state.bytes += sizeBytes;
      }
      state.cursor = { ...state.cursor, after: key };
      await onProgress();
      if (isFull()) return;
    }
    if (isLast) return;
  }
}

/** Opens a file, or returns null when it was deleted after it was listed. */
async function openStored(fileId: string): Promise<Readable | null> {
  try {
    return await openFile(fileId);
  } catch (error) {
    if ((await db().storedFile.count({ where: { id: fileId, ...notExpired() } })) > 0) throw error;
    return null;
  }
}
