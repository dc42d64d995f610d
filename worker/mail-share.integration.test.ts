import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { makeDeliveries, makeHook } from '#test/fixtures/deliveries.ts';
import { withDeliveryService } from '#test/fixtures/delivery-service.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { makeManagerNotifications } from '#test/fixtures/hook-notifications.ts';
import { until } from '#test/fixtures/until.ts';

const running = withDeliveryService({ WORKER_CONCURRENCY: '10', SMTP_URL: 'smtp://127.0.0.1:1' });

// A mail server that accepts every connection, greets, and then hangs.
const open = new Set<Socket>();
let mostOpen = 0;
const hanging = createServer((socket) => {
  open.add(socket.on('error', () => undefined));
  socket.on('close', () => open.delete(socket));
  mostOpen = Math.max(mostOpen, open.size);
  // Without reading, the server would not see that the client closes the connection.
  socket.resume().write('220 hanging.test ESMTP\r\n');
});
beforeAll(async () => {
  await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve));
  const { port } = hanging.address() as AddressInfo;
  Object.assign(settings(), { SMTP_URL: `smtp://127.0.0.1:${port}` });
});
afterAll(async () => {
  for (const socket of open) socket.destroy();
  await new Promise((resolve) => hanging.close(resolve));
});

async function deliverTwenty(): Promise<void> {
  const hook = await makeHook(await makeConnection());
  await makeDeliveries(hook, 20);
  await until(
    'they are delivered',
    async () => (await db().delivery.count({ where: { hookId: hook.id, outcome: 'delivered' } })) === 20,
  );
}

/** One mail at a time is a tenth of the worker. The previous socket may still be closing. */
const MAILS_AT_ONCE = 2;

test('a hanging mail server uses only mail’s share of the worker, and events continue', async () => {
  const connection = await makeConnection({ plan: 'growth' });
  const api = apiClient(running().service.url, connection.accessToken);
  // Creates more mails than the whole worker has room for.
  const create = (number: number) =>
    api('POST', '/conversations', {
      to_email: `contact-${number}@example.com`,
      subject: 'Order',
      content: 'Hello',
    });
  const responses = await Promise.all(Array.from({ length: 16 }, (_, number) => create(number)));
  expect(responses.map(({ status }) => status)).toEqual(Array(16).fill(201));
  await makeManagerNotifications(connection.workspaceId);
  await until('connections to the mail server hang', () => open.size > 0);
  for (let round = 0; round < 3; round += 1) await deliverTwenty();
  expect(mostOpen).toBeLessThanOrEqual(MAILS_AT_ONCE);
  // The events were delivered before the mails, which hang for ten seconds each.
  expect(await db().message.count({ where: { sendStatus: { in: ['queued', 'sending'] } } })).toBeGreaterThan(
    0,
  );
});
