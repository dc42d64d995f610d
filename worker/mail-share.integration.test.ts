import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { db } from '#server/ground/db.ts';
import { settings } from '#server/ground/env.ts';
import { apiClient } from '#test/api-client.ts';
import { makeDeliveries, makeHook } from '#test/deliveries.ts';
import { withDeliveryService } from '#test/delivery-service.ts';
import { makeConnection } from '#test/factories.ts';
import { makeManagerNotifications } from '#test/hook-notifications.ts';
import { until } from '#test/until.ts';

const running = withDeliveryService({ WORKER_CONCURRENCY: '10', SMTP_URL: 'smtp://127.0.0.1:1' });

/** A mail server that accepts every connection, greets, and then says nothing any more. */
const open = new Set<Socket>();
const hanging = createServer((socket) => {
  open.add(socket.on('error', () => undefined));
  socket.write('220 hanging.test ESMTP\r\n');
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

/** How long twenty deliveries take, in milliseconds. */
async function deliverTwenty(): Promise<number> {
  const hook = await makeHook(await makeConnection());
  const begun = performance.now();
  await makeDeliveries(hook, 20);
  await until(
    'they are delivered',
    async () => (await db().delivery.count({ where: { hookId: hook.id, outcome: 'delivered' } })) === 20,
  );
  return performance.now() - begun;
}

/** A mail that hangs takes twice as long, in milliseconds. */
const AS_EVER_MS = 5_000;

test('while a mail server hangs and mails wait, events go on as ever', async () => {
  const alone = await deliverTwenty();
  const connection = await makeConnection({ plan: 'growth' });
  const api = apiClient(running().service.url, connection.accessToken);
  // More mails than the whole worker has room for.
  const create = (number: number) =>
    api('POST', '/conversations', {
      to_email: `contact-${number}@example.com`,
      subject: 'Order',
      content: 'Hello',
    });
  const responses = await Promise.all(Array.from({ length: 16 }, (_, number) => create(number)));
  expect(responses.map(({ status }) => status)).toEqual(Array(16).fill(201));
  await makeManagerNotifications(connection.workspaceId);
  await until('the mail server has connections that hang', () => open.size > 0);
  for (let round = 0; round < 3; round += 1) {
    expect(await deliverTwenty()).toBeLessThan(Math.max(AS_EVER_MS, 3 * alone));
  }
  expect(await db().message.count({ where: { sendStatus: { in: ['queued', 'sending'] } } })).toBeGreaterThan(
    0,
  );
});
