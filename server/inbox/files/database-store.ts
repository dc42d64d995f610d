import { Readable } from 'node:stream';
import { pool } from '#server/core/database/pools.ts';
import type { FileStore } from '#server/inbox/files/file-store-type.ts';

/** How much of a file a row holds, in bytes: so much of it is in memory at once, on the way in and out. */
export const CHUNK_BYTES = 256 * 1024;

const INSERT = 'insert into file_chunks (file_id, position, content) values ($1, $2, $3)';
const SELECT = 'select content from file_chunks where file_id = $1 and position = $2';
const DELETE = 'delete from file_chunks where file_id = any($1)';

/** Keeps files in the database: rows of `file_chunks`, each written and read by a statement of its own. */
export const databaseStore: FileStore = {
  async write(key, source) {
    let sizeBytes = 0;
    let position = 0;
    const insert = (content: Buffer) =>
      pool().query({ name: 'file-chunk-insert', text: INSERT, values: [key, position, content] });
    try {
      for await (const content of inChunks(source, CHUNK_BYTES)) {
        await insert(content);
        sizeBytes += content.length;
        position += 1;
      }
      // Of an empty file there is a row as well: so it differs from one that is not there.
      if (position === 0) await insert(Buffer.alloc(0));
    } catch (error) {
      await databaseStore.remove([key]);
      throw error;
    }
    return { sizeBytes };
  },
  async read(key) {
    const first = await readChunk(key, 0);
    if (!first) throw new Error(`There is no stored file ${key}.`);
    return Readable.from(chunksFrom(key, first), { objectMode: false, highWaterMark: 1 });
  },
  async remove(keys) {
    if (keys.length > 0) await pool().query(DELETE, [keys]);
  },
};

async function* chunksFrom(key: string, first: Buffer): AsyncGenerator<Buffer> {
  let chunk: Buffer | undefined = first;
  for (let position = 1; chunk; position += 1) {
    if (chunk.length > 0) yield chunk;
    chunk = chunk.length < CHUNK_BYTES ? undefined : await readChunk(key, position);
  }
}

async function readChunk(key: string, position: number): Promise<Buffer | undefined> {
  const { rows } = await pool().query<{ content: Buffer }>({
    name: 'file-chunk-select',
    text: SELECT,
    values: [key, position],
  });
  return rows[0]?.content;
}

/** Cuts a stream of bytes into chunks of `chunkBytes`; the last one may be shorter. */
async function* inChunks(source: AsyncIterable<Uint8Array>, chunkBytes: number): AsyncGenerator<Buffer> {
  let held: Uint8Array[] = [];
  let length = 0;
  for await (const piece of source) {
    let rest = piece;
    while (length + rest.length >= chunkBytes) {
      const missing = chunkBytes - length;
      yield Buffer.concat([...held, rest.subarray(0, missing)], chunkBytes);
      rest = rest.subarray(missing);
      held = [];
      length = 0;
    }
    if (rest.length > 0) held.push(rest);
    length += rest.length;
  }
  if (length > 0) yield Buffer.concat(held, length);
}
