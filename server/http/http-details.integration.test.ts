import { once } from 'node:events';
import { describe, expect } from 'vitest';
import { API_PATH } from '#server/core/env.ts';
import {
  openSocket,
  parseResponses,
  readUntilClosed,
  sendRaw,
  type WireResponse,
} from '#test/clients/raw-socket.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { test } from '#test/fixtures/service-test.ts';

/** A GET with these headers that closes the connection. */
const get = (target: string, headers: Record<string, string> = { Host: 'inbox.test' }) =>
  `GET ${target} HTTP/1.1\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}Connection: close\r\n\r\n`;

describe('the Host header', () => {
  test.for([
    ['is missing', get('/healthz', {})],
    ['appears twice', get('/healthz', { Host: 'inbox.test', HOST: 'evil.test' })],
  ] as const)('that %s gets a 400', async ([_what, bytes], { service }) => {
    const response = await sendOne(service.url, bytes);
    expect(response.status).toBe(400);
    expect(message(response)).toBe('The request must have exactly one Host header.');
    expect(response.headers.connection).toBe('close');
  });

  test('is optional in HTTP/1.0', async ({ service }) => {
    expect((await sendOne(service.url, 'GET /healthz HTTP/1.0\r\n\r\n')).status).toBe(200);
  });
});

describe('the request target', () => {
  test.for([
    ['http://inbox.test/healthz', 200],
    ['HTTPS://inbox.test:443/healthz?a=b', 200],
    [`http://inbox.test${API_PATH}/me`, 401],
    ['http://inbox.test?a=b', 200],
  ] as const)('can be an absolute URL: %s', async ([target, status], { service }) => {
    expect((await sendOne(service.url, get(target))).status).toBe(status);
  });

  test.for(['*', 'http://user@inbox.test/', 'ftp://inbox.test/'])(
    'that is neither a path nor a URL gets a 400: %s',
    async (target, { service }) => {
      const response = await sendOne(
        service.url,
        target === '*' ? get(target).replace('GET', 'OPTIONS') : get(target),
      );
      expect(response.status).toBe(400);
      expect(message(response)).toMatch(
        /^The (target of the request must be a path|request is not valid HTTP)\.$/,
      );
    },
  );

  test('of a CONNECT is refused', async ({ service }) => {
    const response = await sendOne(
      service.url,
      'CONNECT inbox.test:443 HTTP/1.1\r\nHost: inbox.test:443\r\n\r\n',
    );
    expect(response.status).toBe(400);
    expect(message(response)).toBe('The target of the request must be a path.');
  });
});

describe('an upgrade request', () => {
  const websocket = {
    Host: 'inbox.test',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
  };
  const upgrade = (path: string, headers = websocket) =>
    get(path, headers).replace('Connection: close', 'Connection: Upgrade, close');

  test.for([
    ['/healthz', 200],
    [`${API_PATH}/me`, 401],
    ['/oauth/token', 405],
    ['/api/nothing', 404],
    ['/inbox', 200],
  ] as const)('is treated like a normal request: %s', async ([path, status], { service }) => {
    expect((await sendOne(service.url, upgrade(path))).status).toBe(status);
  });

  test('to HTTP/2 is treated like a normal request', async ({ service }) => {
    expect((await sendOne(service.url, upgrade('/healthz', { ...websocket, Upgrade: 'h2c' }))).status).toBe(
      200,
    );
  });
});

describe('an Expect header', () => {
  test('of 100-continue is honoured, and the body is read', async ({ service }) => {
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

  test('of any other value gets a 417', async ({ service }) => {
    const response = await sendOne(service.url, get('/healthz', { Host: 'inbox.test', Expect: 'tea' }));
    expect(response.status).toBe(417);
    expect(message(response)).toBe('The header Expect must be 100-continue or omitted.');
  });
});

test('without an https address there is no Strict-Transport-Security header', async ({ service }) => {
  expect((await sendOne(service.url, get('/healthz'))).headers['strict-transport-security']).toBeUndefined();
});

test('the body of a sign-in that is far too long is not read: 413', async ({ service }) => {
  const head =
    'POST /api/auth/sign-in/email HTTP/1.1\r\nHost: inbox.test\r\nContent-Type: application/json\r\n';
  const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
  const bytes = `${head}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n${chunk}${chunk}0\r\n\r\n`;
  const response = await sendOne(service.url, bytes);
  expect(response.status).toBe(413);
  expect(message(response)).toBe('The body must be at most 64 kB.');
});

async function sendOne(url: string, ...pieces: (string | Buffer)[]): Promise<WireResponse> {
  const responses = await sendRaw(url, ...pieces);
  expect(responses).toHaveLength(1);
  const [response] = responses;
  if (!response) throw new Error('There was no response.');
  expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  return response;
}

const message = ({ body }: WireResponse) => JSON.parse(body).message;
