import { expect } from 'vitest';
import { API_PATH } from '#server/core/env.ts';
import { rawRequest } from '#test/clients/raw-request.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { test } from '#test/fixtures/service-test.ts';

test.for([
  ['/me', 200],
  ['/users', 200],
  ['/contacts/search?email=nobody@nowhere.test', 200],
  ['/conversations/search?status=nonsense', 422],
  ['/triggers/contact.created/samples', 200],
  ['/triggers/nonsense/samples', 404],
  ['/openapi.json', 200],
] as const)('HEAD %s responds like GET, without a body', async ([path, status], { service }) => {
  const { accessToken } = await makeConnection();
  const send = (method: string) =>
    rawRequest(service.url, {
      method,
      path: API_PATH + path,
      headers: { authorization: `Bearer ${accessToken}` },
    });
  const [get, head] = [await send('GET'), await send('HEAD')];
  expect([get.status, head.status]).toEqual([status, status]);
  expect(head.body).toBeNull();
  for (const name of ['content-type', 'content-length', 'cache-control', 'x-ratelimit-limit'])
    expect(head.headers[name], name).toBe(get.headers[name]);
});

test('HEAD without a token returns 401, and 405 where there is no GET', async ({ service }) => {
  const head = (path: string) => rawRequest(service.url, { method: 'HEAD', path: API_PATH + path });
  expect(await head('/me')).toMatchObject({ status: 401 });
  expect(await head('/hooks')).toMatchObject({ status: 405, headers: { allow: 'POST' } });
});
