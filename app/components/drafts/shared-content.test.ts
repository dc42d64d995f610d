import { expect, test } from 'vitest';
import { dropOpenedShared, openShared, sharedText } from '#app/components/drafts/shared-content.ts';

const NOW = Date.UTC(2026, 0, 1);
const ID = 'one';

test('what was shared is returned to the teammate who opened it, and to no other', async () => {
  const { open, isStored } = await share();
  const shared = await open('olivia');
  expect(shared?.text).toBe('Broken on arrival');
  expect(shared?.files.map(({ name, size }) => [name, size])).toEqual([['photo.png', 3]]);
  expect((await open('olivia'))?.files).toHaveLength(1);
  expect(await open('arjun')).toBeNull();
  expect(isStored()).toBe(false);
});

test('another id finds nothing and removes nothing', async () => {
  const { open } = await share();
  expect(await open('olivia', { id: 'two' })).toBeNull();
  expect(await open('olivia')).not.toBeNull();
});

test('after an hour it is removed', async () => {
  const { open, isStored } = await share();
  expect(await open('olivia', { now: NOW + 3_600_001 })).toBeNull();
  expect(isStored()).toBe(false);
});

test('content that was shared while signed out stays until someone has opened it', async () => {
  const { open, storage, isStored } = await share();
  await dropOpenedShared(storage);
  expect(isStored()).toBe(true);
  await open('olivia');
  await dropOpenedShared(storage);
  expect(isStored()).toBe(false);
  await dropOpenedShared(storage);
});

test.each([
  [{ title: '', text: 'Hello', url: '' }, 'Hello'],
  [{ title: 'A page', text: '', url: 'https://example.com' }, 'A page\nhttps://example.com'],
  [
    { title: 'A page', text: 'A page https://example.com', url: 'https://example.com' },
    'A page https://example.com',
  ],
  [{ title: 'Same', text: 'Same', url: '' }, 'Same'],
  [{ title: ' ', text: 'Two\r\nlines ', url: '' }, 'Two\nlines'],
])('%j becomes the text %j', (parts, text) => {
  expect(sharedText(parts)).toBe(text);
});

/** Stores a share as the service worker does. */
async function share() {
  const { storage, caches } = fakeStorage();
  const form = new FormData();
  form.append('text', 'Broken on arrival');
  form.append('files', new File(['abc'], 'photo.png', { type: 'image/png' }));
  form.append('files', new File([], ''));
  const response = new Response(form, { headers: { 'X-Shared-At': String(NOW) } });
  await (await storage.open('shared')).put(`/share/${ID}`, response);
  return {
    storage,
    isStored: () => caches.size > 0,
    open: (userId: string, { id = ID, now = NOW } = {}) => openShared({ id, userId, storage, now }),
  };
}

/** The parts of `CacheStorage` that are used, in memory. */
function fakeStorage() {
  const caches = new Map<string, Map<string, Response>>();
  const open = async (name: string) => {
    const stored = caches.get(name) ?? new Map<string, Response>();
    caches.set(name, stored);
    return {
      put: async (path: string, response: Response) => void stored.set(path, response),
      match: async (path: string) => stored.get(path)?.clone(),
      matchAll: async () => [...stored.values()],
    } as unknown as Cache;
  };
  const storage = {
    open,
    has: async (name: string) => caches.has(name),
    delete: async (name: string) => caches.delete(name),
  };
  return { storage, caches };
}
