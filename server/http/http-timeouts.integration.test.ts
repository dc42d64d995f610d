import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { log } from '#server/core/log.ts';
import { closeServer } from '#server/http/close-server.ts';
import { createHttpServer, HTTP_TIMEOUTS } from '#server/http/create-http-server.ts';
import {
  openSocket,
  parseResponses,
  readUntilClosed,
  sendRaw,
  type WireResponse,
} from '#test/clients/raw-socket.ts';
import { timed } from '#test/fixtures/timed.ts';
import { until } from '#test/fixtures/until.ts';
import { setTestSettings } from '#test/servers/settings.ts';

beforeAll(startServer);
afterAll(() => server.closeAllConnections());
afterEach(() => void warned.mockClear());

test('headers that never end get a 408', async () => {
  vi.spyOn(log(), 'error').mockImplementation(warned);
  expectTimeout(await sendRaw(url, `${HEAD}X-Slow: `));
  expect(warned).not.toHaveBeenCalled();
});

test('headers that arrive slowly without an idle pause get a 408', async () => {
  const socket = openSocket(url);
  socket.write(HEAD);
  const drops = setInterval(() => socket.write('X-Drop: x\r\n'), 20);
  const responses = parseResponses(await readUntilClosed(socket));
  clearInterval(drops);
  expectTimeout(responses);
});

test('a body that never ends gets a 408', async () => {
  expectTimeout(await sendRaw(url, `${HEAD}${FORM}Content-Length: 100\r\n\r\ngrant_type=`));
});

test('a connection without a byte is closed without a response', async () => {
  expect(await readUntilClosed(openSocket(url))).toBe('');
});

test('a used connection stays open for the next request, and is closed if none arrives', async () => {
  page = Promise.resolve();
  const socket = openSocket(url);
  socket.write('GET / HTTP/1.1\r\nHost: inbox.test\r\n\r\n');
  // Sent immediately, as the connection only stays open for `keepAliveTimeout`.
  socket.once('data', () => socket.write('GET / HTTP/1.1\r\nHost: inbox.test\r\n\r\n'));
  const text = await readUntilClosed(socket);
  expect(text.match(/HTTP\/1.1 200/g)).toHaveLength(2);
});

test('processing a received request can take longer than its timeout', async () => {
  page = new Promise((resolve) => setTimeout(resolve, 1.5 * TIMEOUTS.requestTimeout));
  const [response] = await sendRaw(url, 'GET / HTTP/1.1\r\nHost: inbox.test\r\nConnection: close\r\n\r\n');
  expect(response?.status).toBe(200);
});

test('the real timeouts: 15 s for headers, 2 min for a request, and an idle timeout longer than a load balancer’s', () => {
  setTestSettings();
  const { headersTimeout, requestTimeout, keepAliveTimeout } = createHttpServer(async () => undefined);
  expect({ headersTimeout, requestTimeout }).toEqual({ headersTimeout: 15_000, requestTimeout: 120_000 });
  expect(keepAliveTimeout).toBeGreaterThan(60_000);
  expect(HTTP_TIMEOUTS.connectionsCheckingInterval).toBeLessThanOrEqual(5_000);
});

test('a stopping server finishes requests in flight and does not wait for idle clients', async () => {
  const patienceMs = 100_000;
  server.keepAliveTimeout = 2 * patienceMs;
  let finish: () => void = () => undefined;
  page = new Promise((resolve) => {
    finish = resolve;
  });
  const begun = until('a request is in flight', async () => {
    const count = await new Promise<number>((resolve) => server.getConnections((_e, n) => resolve(n)));
    return count > 0;
  });
  const socket = openSocket(url);
  socket.write('GET / HTTP/1.1\r\nHost: inbox.test\r\n\r\n');
  const answered = readUntilClosed(socket);
  await begun;
  const { ms } = await timed(() => {
    const drained = closeServer(server, patienceMs);
    finish();
    return drained;
  });
  expect(ms).toBeLessThan(patienceMs);
  expect(await answered).toContain('done');
});

const TIMEOUTS = {
  // Longer than a busy machine delays this process, so that bytes sent in time are received in time.
  headersTimeout: 1_500,
  requestTimeout: 2_500,
  keepAliveTimeout: 1_500,
  connectionsCheckingInterval: 20,
};

const HEAD = 'POST /oauth/token HTTP/1.1\r\nHost: inbox.test\r\n';
const FORM = 'Content-Type: application/x-www-form-urlencoded\r\n';

let server: Server;
let url: string;

/** Pages wait for this promise before they respond. */
let page: Promise<void>;
const warned = vi.fn<() => void>();

async function startServer(): Promise<void> {
  // Without a database the limit of a token request fails, and the request then passes.
  setTestSettings();
  server = createHttpServer(
    async (_req, res) => {
      await page;
      res.end('done');
    },
    { timeouts: TIMEOUTS },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function expectTimeout(responses: WireResponse[]): void {
  expect(responses).toHaveLength(1);
  expect(responses[0]?.status).toBe(408);
  expect(JSON.parse(responses[0]?.body ?? '')).toEqual({ message: 'The request did not arrive in time.' });
  expect(responses[0]?.headers).toMatchObject({ connection: 'close', 'x-request-id': expect.any(String) });
}
