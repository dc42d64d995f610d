import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import type { FileStore } from '#server/inbox/files/file-store-type.ts';
import { s3Store } from '#server/inbox/files/s3-store.ts';

test.for<[string, (store: FileStore) => Promise<unknown>]>([
  ['a file is stored', (store) => store.write('a', Readable.from([Buffer.from('Hello')]))],
  ['a file is opened', (store) => store.read('a')],
  ['a file is read', async (store) => (await store.read('half')).toArray()],
  ['a file is removed', (store) => store.remove(['a'])],
])('a store that becomes silent while %s fails', { timeout: 20_000 }, async ([_when, use]) => {
  await expect(use(await openSilentStore())).rejects.toThrow(/timed out|has exceeded/);
});

test('a file is complete if its reader waits for longer than the store may be silent', async () => {
  const store = await openSilentStore();
  const file = await store.read('large');
  let bytes = 0;
  for await (const piece of file) {
    if (bytes === 0) await new Promise((resolve) => setTimeout(resolve, 3 * IDLE_MS));
    bytes += piece.length;
  }
  expect(bytes).toBe(LARGE_BYTES);
});

const IDLE_MS = 200;
const LARGE_BYTES = 4_000_000;

/** Opens a store that accepts connections and does not answer. Of the file `half` it sends a part, and `large` completely. */
async function openSilentStore(): Promise<FileStore> {
  const server = createServer((req, res) => {
    if (req.url?.includes('/half')) res.writeHead(200, { 'Content-Length': 10 }).write('Hello');
    if (req.url?.includes('/large')) res.end(Buffer.alloc(LARGE_BYTES));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return s3Store(`http://key:secret@127.0.0.1:${port}/bucket`, { idleMs: IDLE_MS });
}
