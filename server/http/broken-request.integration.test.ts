import { once } from 'node:events';
import { expect, vi } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { API_PATH } from '#server/core/env.ts';
import { log } from '#server/core/log.ts';
import {
  openSocket,
  parseResponses,
  readUntilClosed,
  sendRaw,
  type WireResponse,
} from '#test/clients/raw-socket.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { test } from '#test/fixtures/service-test.ts';
import { until } from '#test/fixtures/until.ts';

const HOST = 'Host: inbox.test\r\n';
const MALFORMED = 'The request is not valid HTTP.';

test.beforeAll(({ service: _ }) => watchLog());
test.afterEach(({ service }) => expectUnharmed(service.url));

test.for([
  ['bytes that are not HTTP', 'hello\r\n\r\n'],
  ['a TLS handshake', Buffer.from('16030100c8010000c403030102030405060708', 'hex')],
  ['an unknown method', `FETCH / HTTP/1.1\r\n${HOST}\r\n`],
  ['an unknown version', `GET / HTTP/9.9\r\n${HOST}\r\n`],
  ['a path with a space', `GET /a b HTTP/1.1\r\n${HOST}\r\n`],
  ['a header without a name', `GET / HTTP/1.1\r\n${HOST}: x\r\n\r\n`],
  ['a header with a control character', `GET / HTTP/1.1\r\n${HOST}A: \x01\r\n\r\n`],
  ['a folded header line', `GET / HTTP/1.1\r\n${HOST}A: b\r\n c\r\n\r\n`],
  ['a length that is not a number', `POST / HTTP/1.1\r\n${HOST}Content-Length: ten\r\n\r\n`],
  ['a negative length', `POST / HTTP/1.1\r\n${HOST}Content-Length: -1\r\n\r\n`],
  ['two lengths', `POST / HTTP/1.1\r\n${HOST}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`],
  ['a length and a transfer coding', chunked('POST', '/', 'Content-Length: 5\r\n')],
  [
    'a transfer coding that is not the last',
    `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked, x\r\n\r\n`,
  ],
] as const)('%s gets a 400', async ([_what, bytes], { service }) => {
  expectRefusal(await sendRaw(service.url, bytes), 400, MALFORMED);
});

test('neither the response nor the log repeats anything of the request', async ({ service }) => {
  const logged = vi.spyOn(log(), 'info');
  const [response] = await sendRaw(
    service.url,
    `GET / HTTP/1.1\r\nAuthorization: Bearer kza_1\r\n: kza_2\r\n\r\n`,
  );
  const refused = logged.mock.calls.map(([fields]) => fields).at(-1);
  expect(refused).toEqual({
    requestId: response?.headers['x-request-id'],
    status: 400,
    reason: expect.stringMatching(/^HPE_\w+$/),
  });
  expect(JSON.stringify(response)).not.toContain('kza_');
});

test.for([
  ['one header that is too long', `GET / HTTP/1.1\r\n${HOST}A: ${'a'.repeat(20_000)}\r\n\r\n`],
  ['too many headers', `GET / HTTP/1.1\r\n${HOST}${'Name: value\r\n'.repeat(2_000)}\r\n`],
  ['a path that is too long', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\n${HOST}\r\n`],
] as const)('%s: 431', async ([_what, bytes], { service }) => {
  expectRefusal(await sendRaw(service.url, bytes), 431, 'The headers of the request are too large.');
});

test.for([
  ['is not chunked as declared', ['2\r\n{}\r\n', 'soon\r\n'], 400, MALFORMED],
  [
    'has endless chunk extensions',
    [`2;${'a'.repeat(20_000)}`],
    413,
    'The chunk extensions of the request are too large.',
  ],
] as const)(
  'a call whose body %s is refused and not executed',
  async ([_what, pieces, status, message], { service }) => {
    const { accessToken, id } = await makeConnection();
    const head = chunked('POST', `${API_PATH}/hooks`, `Authorization: Bearer ${accessToken}\r\n`);
    expectRefusal(await sendRaw(service.url, head, ...pieces), status, message);
    expect(await db().hook.count({ where: { connectionId: id } })).toBe(0);
  },
);

test('a valid request is answered first, and broken bytes after it close the connection', async ({
  service,
}) => {
  const socket = openSocket(service.url);
  socket.write(`GET ${API_PATH}/me HTTP/1.1\r\n${HOST}\r\nnonsense\r\n\r\n`);
  const responses = parseResponses(await readUntilClosed(socket));
  expect(responses.map(({ status }) => status)).toEqual([401]);
});

test('a client that keeps sending still gets the response', async ({ service }) => {
  const nonsense = Buffer.alloc(1_000_000, 'x');
  expectRefusal(await sendRaw(service.url, 'nonsense\r\n\r\n', nonsense, nonsense), 400, MALFORMED);
});

test.for([
  ['immediately', ''],
  ['within the headers', 'GET / HTTP/1.1\r\nHo'],
] as const)('a client that resets the connection %s causes no error', async ([_when, bytes], { service }) => {
  const socket = openSocket(service.url);
  await once(socket, 'connect');
  if (bytes) await new Promise((resolve) => socket.write(bytes, resolve));
  socket.resetAndDestroy();
});

test.for([
  ['an API call', `${API_PATH}/hooks`, 'application/json'],
  ['a token request', '/oauth/token', 'application/x-www-form-urlencoded'],
  ['a sign-in', '/api/auth/sign-in/email', 'application/json'],
] as const)(
  'a client that resets the connection during the body of %s is logged',
  async ([_what, path, type], { service }) => {
    const { accessToken } = await makeConnection();
    const logged = vi.spyOn(log(), 'info').mockClear();
    const stderr = vi.spyOn(console, 'error').mockImplementation(warned);
    const socket = openSocket(service.url);
    const head = [
      `POST ${path} HTTP/1.1`,
      'Host: inbox.test',
      'Origin: http://inbox.test',
      `Authorization: Bearer ${accessToken}`,
      `Content-Type: ${type}`,
      'Content-Length: 100',
      'Expect: 100-continue',
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n{"a"`);
    // The server sends 100 Continue after it has read the headers.
    await once(socket, 'data');
    socket.resetAndDestroy();
    await until('it is logged', () => logged.mock.calls.length > 0);
    const line = { requestId: expect.any(String), method: 'POST' };
    expect(logged.mock.calls).toEqual([[line, 'http.broken_off']]);
    stderr.mockRestore();
  },
);

const warned = vi.fn<() => void>();

function expectRefusal(responses: WireResponse[], status: number, message: string): void {
  expect(responses).toHaveLength(1);
  const [response] = responses;
  expect(response?.status).toBe(status);
  expect(JSON.parse(response?.body ?? '')).toEqual({ message });
  expect(response?.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    connection: 'close',
    'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  expect(response?.headers.server).toBeUndefined();
}

function watchLog(): void {
  for (const level of ['warn', 'error', 'fatal'] as const) vi.spyOn(log(), level).mockImplementation(warned);
}

/** Expects that the server survived a broken request and logged no warning. */
async function expectUnharmed(url: string): Promise<void> {
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  expect(warned).not.toHaveBeenCalled();
}

function chunked(method: string, path: string, more = ''): string {
  return `${method} ${path} HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n${more}\r\n`;
}
