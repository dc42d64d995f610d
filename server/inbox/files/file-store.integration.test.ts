import { createHash, randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { fileStore } from '#server/inbox/files/file-store.ts';
import type { FileStore } from '#server/inbox/files/file-store-type.ts';
import { s3Store } from '#server/inbox/files/s3-store.ts';
import { test } from '#test/fixtures/s3-test.ts';

const MB = 1024 * 1024;

describe.each(['the database', 'an S3-compatible store'])('a file in %s', (name) => {
  test.for<[string, number]>([
    ['nothing', 0],
    ['a byte', 1],
    ['exactly one chunk', 256 * 1024],
    ['one chunk and a byte', 256 * 1024 + 1],
    ['three parts of an upload', 11 * MB + 7],
  ])('of %s is read back unchanged', async ([_what, length], { s3 }) => {
    const store = await openStore(name, s3);
    const key = await newKey();
    const bytes = someBytes(length);
    expect(await store.write(key, pieces(bytes))).toEqual({ sizeBytes: length });
    const read = await readAll(store, key);
    expect(read.length).toBe(length);
    expect(createHash('sha256').update(read).digest()).toEqual(createHash('sha256').update(bytes).digest());
  });

  test('is read with backpressure', async ({ s3 }) => {
    const store = await openStore(name, s3);
    const key = await newKey();
    await store.write(key, pieces(someBytes(8 * MB)));
    const source = await store.read(key);
    await new Promise((resolve) => source.once('readable', resolve));
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(source.readableLength).toBeLessThan(MB);
    source.destroy();
  });

  test('is not stored when its source fails', async ({ s3 }) => {
    const store = await openStore(name, s3);
    const key = await newKey();
    async function* brokenOff() {
      yield* pieces(someBytes(6 * MB));
      throw new Error('gone');
    }
    await expect(store.write(key, brokenOff())).rejects.toThrow('gone');
    await expect(readAll(store, key)).rejects.toThrow();
  });

  test('is removed without affecting other files', async ({ s3 }) => {
    const store = await openStore(name, s3);
    const [gone, kept] = [await newKey(), await newKey()];
    for (const key of [gone, kept]) await store.write(key, pieces(Buffer.from('Hello')));
    await store.remove([gone, randomUUID()]);
    await store.remove([gone]);
    await store.remove([]);
    await expect(readAll(store, gone)).rejects.toThrow();
    expect((await readAll(store, kept)).toString()).toBe('Hello');
  });

  test('cannot be read when it was never stored', async ({ s3 }) => {
    const store = await openStore(name, s3);
    await expect(readAll(store, randomUUID())).rejects.toThrow();
  });
});

test('an aborted upload leaves no parts in an S3-compatible store', async ({ s3 }) => {
  const before = await s3.keys();
  async function* brokenOff() {
    yield* pieces(someBytes(11 * MB));
    throw new Error('gone');
  }
  await expect(s3Store(s3.url).write(randomUUID(), brokenOff())).rejects.toThrow('gone');
  expect(await s3.keys()).toEqual(before);
});

test('an attacker who guesses the secret of the store reads and writes nothing', async ({ s3 }) => {
  const key = randomUUID();
  await s3Store(s3.url).write(key, pieces(Buffer.from('Hello')));
  const stranger = s3Store(s3.urlOfStranger);
  await expect(stranger.read(key)).rejects.toMatchObject({ name: 'SignatureDoesNotMatch' });
  await expect(stranger.write(randomUUID(), pieces(Buffer.from('x')))).rejects.toMatchObject({
    name: 'SignatureDoesNotMatch',
  });
});

test('an unreachable store fails within seconds', { timeout: 30_000 }, async () => {
  const nowhere = s3Store('http://key:secret@127.0.0.1:1/bucket');
  await expect(nowhere.read(randomUUID())).rejects.toThrow();
});

async function openStore(name: string, s3: { url: string }): Promise<FileStore> {
  return name === 'the database' ? fileStore('database') : s3Store(s3.url);
}

/** Creates a file row, which the chunks in the database refer to. */
async function newKey(): Promise<string> {
  const { id } = await db().storedFile.create({ data: { store: 'database', expiresAt: new Date() } });
  return id;
}

async function readAll(store: FileStore, key: string): Promise<Buffer> {
  const read: Buffer[] = [];
  for await (const piece of await store.read(key)) read.push(piece);
  return Buffer.concat(read);
}

/** Yields `bytes` in pieces of `size`. */
async function* pieces(bytes: Uint8Array, size = 50_000): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

function someBytes(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let i = 0; i < length; i += 1) bytes[i] = (i * 31 + (i >> 8)) % 256;
  return bytes;
}
