import { once } from 'node:events';
import { type AddressInfo, createServer, Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { withSession } from '#scripts/backup/database-session.ts';
import { setTestSettings } from '#test/servers/settings.ts';

test('the session of a backup or restore probes a silent machine, and does not wait for it for ever', async () => {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  setTestSettings({ DATABASE_URL: `postgresql://nobody@127.0.0.1:${port}/none` });
  const probes = vi.spyOn(Socket.prototype, 'setKeepAlive');
  onTestFinished(() => probes.mockRestore());
  await expect(withSession(async () => undefined)).rejects.toThrow();
  expect(probes).toHaveBeenCalledWith(true, 10_000);
});
