import { createServer, type Server, type Socket } from 'node:net';
import { Agent } from 'undici';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { requestProvider } from '#server/core/provider-request.ts';

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

/** Starts a server that does this with a connection once it has read from it. Returns its port. */
async function startServer(onRead: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => onRead(socket));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

const post = (url: string) => requestProvider({ url, method: 'POST', body: '{}' });

describe('it is unclear whether a provider processed a request', () => {
  test.for<[string, (socket: Socket) => void]>([
    ['resets the connection', (socket) => socket.resetAndDestroy()],
    ['closes the connection', (socket) => socket.end()],
    ['breaks off its response', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{')],
    ['responds with something else than HTTP', (socket) => socket.end('Not HTTP\r\n\r\n')],
  ])('and then %s', async ([_how, onRead]) => {
    const port = await startServer(onRead);
    await expect(post(`http://127.0.0.1:${port}`)).rejects.toMatchObject({ providerFault: 'unclear' });
  });
});

describe('a provider did not process a request', () => {
  test('that was refused a connection', async () => {
    await expect(post('http://127.0.0.1:1')).rejects.toMatchObject({ providerFault: 'unreachable' });
  });

  test('whose connection was not established in time', async () => {
    vi.stubGlobal('serviceProviderAgent', new Agent({ connect: { timeout: 50 } }));
    // The server never completes the TLS handshake.
    const port = await startServer(() => undefined);
    await expect(post(`https://127.0.0.1:${port}`)).rejects.toMatchObject({ providerFault: 'unreachable' });
    vi.unstubAllGlobals();
  });
});
