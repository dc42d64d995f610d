import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { API_PATH } from '#server/core/env.ts';
import {
  openSocket,
  parseResponses,
  readUntilClosed,
  sendRaw,
  type WireResponse,
} from '#test/clients/raw-socket.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { withTestService } from '#test/fixtures/service.ts';

const service = withTestService();

/** A GET after which the connection is closed, with these headers. */
const get = (target: string, headers: Record<string, string> = { Host: 'inbox.test' }) =>
  `GET ${target} HTTP/1.1\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}Connection: close\r\n\r\n`;

async function only(...pieces: (string | Buffer)[]): Promise<WireResponse> {
  const responses = await sendRaw(service.url, ...pieces);
  expect(responses).toHaveLength(1);
  const [response] = responses;
  if (!response) throw new Error('There was no answer.');
  expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  return response;
}

const message = ({ body }: WireResponse) => JSON.parse(body).message;

describe('the host', () => {
  test.each([
    ['is missing', get('/healthz', {})],
    ['is named twice', get('/healthz', { Host: 'inbox.test', HOST: 'evil.test' })],
  ])('that %s: 400', async (_what, bytes) => {
    const response = await only(bytes);
    expect(response.status).toBe(400);
    expect(message(response)).toBe('The request must have exactly one Host header.');
    expect(response.headers.connection).toBe('close');
  });

  test('need not be named by HTTP/1.0', async () => {
    expect((await only('GET /healthz HTTP/1.0\r\n\r\n')).status).toBe(200);
  });
});

describe('the target', () => {
  test.each([
    ['http://inbox.test/healthz', 200],
    ['HTTPS://inbox.test:443/healthz?a=b', 200],
    [`http://inbox.test${API_PATH}/me`, 401],
    ['http://inbox.test?a=b', 200],
  ])('may be an address: %s', async (target, status) => {
    expect((await only(get(target))).status).toBe(status);
  });

  test.each(['*', 'http://user@inbox.test/', 'ftp://inbox.test/'])(
    'that is neither path nor address: 400, %s',
    async (target) => {
      const response = await only(target === '*' ? get(target).replace('GET', 'OPTIONS') : get(target));
      expect(response.status).toBe(400);
      expect(message(response)).toMatch(
        /^The (target of the request must be a path|request is not valid HTTP)\.$/,
      );
    },
  );

  test('of a CONNECT is refused, as this is no proxy', async () => {
    const response = await only('CONNECT inbox.test:443 HTTP/1.1\r\nHost: inbox.test:443\r\n\r\n');
    expect(response.status).toBe(400);
    expect(message(response)).toBe('The target of the request must be a path.');
  });
});

describe('a request to upgrade', () => {
  const websocket = {
    Host: 'inbox.test',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
  };
  const upgrade = (path: string, headers = websocket) =>
    get(path, headers).replace('Connection: close', 'Connection: Upgrade, close');

  test.each([
    ['/healthz', 200],
    [`${API_PATH}/me`, 401],
    ['/oauth/token', 405],
    ['/api/nothing', 404],
    ['/inbox', 200],
  ])('is answered as if it asked for nothing special: %s', async (path, status) => {
    expect((await only(upgrade(path))).status).toBe(status);
  });

  test('to HTTP/2 is answered so too', async () => {
    expect((await only(upgrade('/healthz', { ...websocket, Upgrade: 'h2c' }))).status).toBe(200);
  });
});

describe('an expectation', () => {
  test('to be asked for the body is met, and the body is read', async () => {
    const { accessToken } = await makeConnection();
    const body = '{"event":"conversation.created","target_url":"https://hooks.platform.test/hook"}';
    const socket = openSocket(service.url);
    const head = get(`${API_PATH}/hooks`, {
      Host: 'inbox.test',
      Authorization: `Bearer ${accessToken}`,
      Expect: '100-continue',
      'Content-Length': `${body.length}`,
    }).replace('GET', 'POST');
    socket.write(head);
    expect(String(await once(socket, 'data'))).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    socket.write(body);
    expect(parseResponses(await readUntilClosed(socket)).map(({ status }) => status)).toEqual([201]);
  });

  test('of any other kind: 417', async () => {
    const response = await only(get('/healthz', { Host: 'inbox.test', Expect: 'tea' }));
    expect(response.status).toBe(417);
    expect(message(response)).toBe('The header Expect must be 100-continue or be left out.');
  });
});

test('without an https address browsers hear nothing of it', async () => {
  expect((await only(get('/healthz'))).headers['strict-transport-security']).toBeUndefined();
});

test('a sign-in with a body that is far too long is not read: 413', async () => {
  const head =
    'POST /api/auth/sign-in/email HTTP/1.1\r\nHost: inbox.test\r\nContent-Type: application/json\r\n';
  const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
  const bytes = `${head}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n${chunk}${chunk}0\r\n\r\n`;
  const response = await only(bytes);
  expect(response.status).toBe(413);
  expect(message(response)).toBe('The body must be at most 64 kB.');
});
