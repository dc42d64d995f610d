import { describe, expect } from 'vitest';
import { API_PATH } from '#server/core/env.ts';
import { sendRaw } from '#test/clients/raw-socket.ts';
import { makeWorkspace } from '#test/fixtures/factories.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';

const test = serviceTest.extend('settings', { scope: 'file' }, () => ({ BASE_URL: 'https://inbox.test' }));

describe('an undecodable path is 404 before any handler runs', () => {
  test.for([
    '/%',
    '/inbox/%E0%A4%A',
    '/contacts/%ff',
    '/attachments/%ff',
    '/api/chat/attachments/%',
    '/api/auth/%c0%af',
    '/chat/%zz/try',
    '/oauth/%',
    `${API_PATH}/contacts/%ff`,
  ])('%s', async (path, { service }) => {
    for (const method of ['GET', 'POST']) {
      const { status, body } = await request(service.url, path, method);
      expect([status, JSON.parse(body)]).toEqual([404, { message: 'There is nothing at this address.' }]);
    }
  });

  test('a decodable path reaches its handler', async ({ service }) => {
    expect((await request(service.url, '/attachments/%66ile')).status).toBe(401);
    expect((await request(service.url, '/contacts/%C3%A4?q=%ff')).status).toBe(200);
  });
});

test.for(['/healthz', '/inbox', `${API_PATH}/me`, '/api/nothing'])(
  'with an https address, browsers must use https only: %s',
  async (path, { service }) => {
    expect((await request(service.url, path)).headers['strict-transport-security']).toBe('max-age=31536000');
  },
);

test('the sample site of the chat also requests no device permissions', async ({ service }) => {
  const { id } = await makeWorkspace();
  const { status, headers } = await request(service.url, `/chat/${id}/try`);
  expect([status, headers['permissions-policy']]).toEqual([200, expect.stringContaining('camera=()')]);
});

/** Sends a request with the path unchanged; `fetch` would normalize it. */
async function request(url: string, path: string, method = 'GET') {
  const bytes = `${method} ${path} HTTP/1.1\r\nHost: inbox.test\r\nConnection: close\r\n\r\n`;
  const [response] = await sendRaw(url, bytes);
  if (!response) throw new Error('There was no response.');
  return response;
}
