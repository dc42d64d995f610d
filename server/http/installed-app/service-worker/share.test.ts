import { expect, test } from 'vitest';
import { startServiceWorker } from '#test/fixtures/service-worker.ts';

const HOUR_MS = 3_600_000;

test('a shared form is stored on the device, and the page that asks for a conversation opens with its id', async () => {
  const { fetch, stored } = startServiceWorker();
  const location = await fetch(await post(sharedForm()));
  const [, id] = /^https:\/\/inbox\.test\/share\?id=([\w-]{36})$/.exec(location ?? '') ?? [];
  const response = await stored('shared', `/share/${id}`);
  const form = (await response?.formData()) ?? new FormData();
  expect(form.get('text')).toBe('Broken on arrival');
  expect(form.get('files')).toMatchObject({ name: 'photo.png', size: 3 });
});

test('only the last share is stored, and a forgotten one is removed after an hour', async () => {
  const { fetch, push, caches } = startServiceWorker();
  await fetch(await post(sharedForm()));
  await fetch(await post(sharedForm()));
  expect(caches.get('shared')?.size).toBe(1);
  await push('{}');
  expect(caches.has('shared')).toBe(true);
  const [[path, response]] = [...(caches.get('shared') ?? [])] as [[string, Response]];
  const headers = new Headers(response.headers);
  headers.set('X-Shared-At', String(Date.now() - HOUR_MS - 1));
  caches.get('shared')?.set(path, new Response(null, { headers }));
  await push('{}');
  expect(caches.has('shared')).toBe(false);
});

test('a form above the limit is not read to its end, and the page says so', async () => {
  const { fetch, caches } = startServiceWorker({ settings: { sharedMaxBytes: 100 } });
  expect(await fetch(await post(sharedForm('a'.repeat(200))))).toBe(
    'https://inbox.test/share?problem=too_large',
  );
  expect(caches.has('shared')).toBe(false);
});

test('a device without space says so', async () => {
  const { fetch } = startServiceWorker({ isFull: true });
  expect(await fetch(await post(sharedForm()))).toBe('https://inbox.test/share?problem=not_stored');
});

test('other posts and requests of pages go to the server', async () => {
  const { fetch } = startServiceWorker();
  expect(await fetch(await post(sharedForm(), '/sign-in'))).toBeUndefined();
  expect(await fetch({ ...(await post(sharedForm())), mode: 'cors' })).toBeUndefined();
});

function sharedForm(text = 'Broken on arrival'): FormData {
  const form = new FormData();
  form.append('text', text);
  form.append('files', new File(['abc'], 'photo.png', { type: 'image/png' }));
  return form;
}

/** Returns a navigation as the browser reports it to the worker. */
async function post(form: FormData, path = '/share-target') {
  const request = new Request(`https://inbox.test${path}`, { method: 'POST', body: form });
  const { method, url, headers } = request;
  const bytes = await request.bytes();
  const body = new ReadableStream<Uint8Array>({
    start: (stream) => {
      stream.enqueue(bytes);
      stream.close();
    },
  });
  return { method, url, headers, body, mode: 'navigate' };
}
