import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { keepConnection } from '#server/core/database/keep-connection.ts';
import { setTestSettings } from '#test/servers/settings.ts';

const server = createServer();
afterEach(() => {
  vi.restoreAllMocks();
  server.close();
});

/** The next connection that is tried; the caller says when it breaks off. */
async function nextAttempt(): Promise<Socket> {
  const [socket] = (await once(server, 'connection')) as [Socket];
  return socket.on('error', () => undefined);
}

test('a connection that is being made as the database comes back, and fails, is tried again soon', async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  setTestSettings({ DATABASE_URL: `postgresql://nobody@127.0.0.1:${port}/nothing` });
  const kept = keepConnection({ name: 'test', prepare: async () => undefined });
  // After five failures the next pause would be 800 ms.
  for (let failed = 0; failed < 5; failed += 1) (await nextAttempt()).destroy();
  const underWay = await nextAttempt();
  kept.retry();
  const timers = vi.spyOn(globalThis, 'setTimeout');
  underWay.destroy();
  (await nextAttempt()).destroy();
  const pauses = timers.mock.calls.map(([, ms]) => ms);
  expect(pauses).toContain(50);
  expect(pauses).not.toContain(800);
  await kept.close();
});
