import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { listen } from './listen.ts';

it('the server keeps idle connections open for more than a minute, so a busy client loses no request', async () => {
  const servers = await listen(() => createServer((_req, res) => res.end()), 0, 'PLATFORM_PORT');
  const [address] = servers.map((server) => server.address() as AddressInfo);
  const response = await fetch(`http://127.0.0.1:${address?.port}/`);
  const [, seconds] = /timeout=(\d+)/.exec(response.headers.get('keep-alive') ?? '') ?? [];
  expect(Number(seconds)).toBeGreaterThan(60);
  for (const server of servers) server.close().closeAllConnections();
});
