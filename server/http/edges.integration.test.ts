import { describe, expect, test } from 'vitest';
import { API_PATH } from '#server/core/env.ts';
import { sendRaw } from '#test/clients/raw-socket.ts';
import { makeWorkspace } from '#test/fixtures/factories.ts';
import { withTestService } from '#test/fixtures/service.ts';

const service = withTestService({ BASE_URL: 'https://inbox.test' });

/** Asks for a path as it is written: `fetch` would mend it. */
async function ask(path: string, method = 'GET') {
  const bytes = `${method} ${path} HTTP/1.1\r\nHost: inbox.test\r\nConnection: close\r\n\r\n`;
  const [response] = await sendRaw(service.url, bytes);
  if (!response) throw new Error('There was no answer.');
  return response;
}

describe('a path that cannot be decoded is 404 before anything looks at it', () => {
  test.each([
    '/%',
    '/inbox/%E0%A4%A',
    '/contacts/%ff',
    '/attachments/%ff',
    '/api/chat/attachments/%',
    '/api/auth/%c0%af',
    '/chat/%zz/try',
    '/oauth/%',
    `${API_PATH}/contacts/%ff`,
  ])('%s', async (path) => {
    for (const method of ['GET', 'POST']) {
      const { status, body } = await ask(path, method);
      expect([status, JSON.parse(body)]).toEqual([404, { message: 'There is nothing at this address.' }]);
    }
  });

  test('and one that can be is what it was', async () => {
    expect((await ask('/attachments/%66ile')).status).toBe(401);
    expect((await ask('/contacts/%C3%A4?q=%ff')).status).toBe(200);
  });
});

test.each(['/healthz', '/inbox', `${API_PATH}/me`, '/api/nothing'])(
  'with an https address browsers are made to use https alone: %s',
  async (path) => {
    expect((await ask(path)).headers['strict-transport-security']).toBe('max-age=31536000');
  },
);

test('the page on which the chat is tried out asks for no devices either', async () => {
  const { id } = await makeWorkspace();
  const { status, headers } = await ask(`/chat/${id}/try`);
  expect([status, headers['permissions-policy']]).toEqual([200, expect.stringContaining('camera=()')]);
});
