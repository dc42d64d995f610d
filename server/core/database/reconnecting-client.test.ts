import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { openReconnectingClient } from '#server/core/database/reconnecting-client.ts';
import { setTestSettings } from '#test/servers/settings.ts';

const server = createServer();
afterEach(() => {
  vi.restoreAllMocks();
  server.close();
});

/** Accepts the next connection attempt, for the caller to destroy. */
async function nextAttempt(): Promise<Socket> {
  const [socket] = (await once(server, 'connection')) as [Socket];
  return socket.on('error', () => undefined);
}

test('an attempt in flight that fails after retry() is repeated soon', async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  setTestSettings({ DATABASE_URL: `postgresql://nobody@127.0.0.1:${port}/nothing` });
  const kept = openReconnectingClient({ name: 'test', prepare: async () => undefined });
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
