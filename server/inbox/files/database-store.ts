import { Readable } from 'node:stream';
import { pool } from '#server/core/database/pools.ts';
import type { FileStore } from '#server/inbox/files/file-store-type.ts';

/** Size of a chunk row, in bytes. At most one chunk of a file is in memory while it is written or read. */
export const CHUNK_BYTES = 256 * 1024;

const INSERT = 'insert into file_chunks (file_id, position, content) values ($1, $2, $3)';
const SELECT = 'select content from file_chunks where file_id = $1 and position = $2';
const DELETE = 'delete from file_chunks where file_id = any($1)';

/** Stores files in the database as rows of `file_chunks`. Each chunk is written and read by its own statement. */
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
      // An empty file gets a row too, to distinguish it from a missing file.
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

/** Splits a stream into chunks of `chunkBytes`; the last chunk may be shorter. */
async function* inChunks(source: AsyncIterable<Uint8Array>, chunkBytes: number): AsyncGenerator<Buffer> {
  let pending: Uint8Array[] = [];
  let length = 0;
  for await (const piece of source) {
    let rest = piece;
    while (length + rest.length >= chunkBytes) {
      const missing = chunkBytes - length;
      yield Buffer.concat([...pending, rest.subarray(0, missing)], chunkBytes);
      rest = rest.subarray(missing);
      pending = [];
      length = 0;
    }
    if (rest.length > 0) pending.push(rest);
    length += rest.length;
  }
  if (length > 0) yield Buffer.concat(pending, length);
}
