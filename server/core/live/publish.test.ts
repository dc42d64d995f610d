import { expect, test, vi } from 'vitest';
import { publish } from '#server/core/live/publish.ts';
import { setTestSettings } from '#test/servers/settings.ts';

const { query } = vi.hoisted(() => ({ query: vi.fn() }));
vi.mock('#server/core/database/pools.ts', async (original) => ({
  ...(await original<object>()),
  pool: () => ({ query }),
}));

setTestSettings();

test('a change whose message was not sent, because its connection broke, is published over the next one', async () => {
  query.mockRejectedValueOnce(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }));
  query.mockResolvedValue({ rows: [] });
  publish('01a0b2c4-7f22-7b3c-9d4e-5f60718293a4', 'notifications');
  await vi.waitFor(() => expect(query).toHaveBeenCalledTimes(2), 5_000);
  expect(query.mock.calls[1]).toEqual(query.mock.calls[0]);
});
