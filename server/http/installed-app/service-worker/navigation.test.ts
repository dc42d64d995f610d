import { expect, test } from 'vitest';
import { startServiceWorker } from '#test/fixtures/service-worker.ts';

const GET = { method: 'GET', mode: 'navigate', destination: 'document', url: 'https://inbox.test/inbox' };
const failed = () => Promise.reject(new TypeError('Failed to fetch'));

test('a page that loads is shown as the browser requested it', async () => {
  const { install, navigate, worker } = startServiceWorker();
  await install();
  expect(worker.registration.navigationPreload.enable).toHaveBeenCalledOnce();
  const response = new Response('inbox', { status: 503 });
  expect(await navigate(GET, Promise.resolve(response))).toBe(response);
});

test('a page that cannot be loaded is replaced by the stored one, which is the only one of this version', async () => {
  const { install, navigate, caches } = startServiceWorker();
  caches.set('pages', new Map([['https://inbox.test/no-connection?1', new Response('old')]]));
  await install();
  expect([...(caches.get('pages')?.keys() ?? [])]).toEqual(['https://inbox.test/no-connection?2']);
  const response = await navigate(GET, failed());
  expect(await response?.text()).toBe('page of /no-connection?2');
});

test('nothing else is answered: posts, frames, and browsers that do not preload', async () => {
  const { install, navigate } = startServiceWorker();
  await install();
  const loaded = () => Promise.resolve(new Response());
  expect(await navigate({ ...GET, method: 'POST' }, loaded())).toBeUndefined();
  expect(await navigate({ ...GET, destination: 'iframe' }, loaded())).toBeUndefined();
  expect(await navigate({ ...GET, mode: 'cors' }, loaded())).toBeUndefined();
  expect(await navigate(GET, undefined)).toBeUndefined();
});
