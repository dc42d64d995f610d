import { expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { allDelivered, makeDeliveries, makeHook } from '#test/fixtures/deliveries.ts';
import { test as deliveryTest } from '#test/fixtures/delivery-test.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { makeManagerNotifications } from '#test/fixtures/hook-notifications.ts';
import { until } from '#test/fixtures/until.ts';
import { startHangingMailServer } from '#test/servers/hanging-mail-server.ts';

const test = deliveryTest
  .extend('hanging', { scope: 'file' }, async ({ receiverServer: _ }, { onCleanup }) => {
    const server = await startHangingMailServer();
    onCleanup(server.stop);
    return server;
  })
  .extend('settings', { scope: 'file' }, ({ hanging }) => ({
    WORKER_CONCURRENCY: '10',
    SMTP_URL: hanging.url,
  }));

test('a hanging mail server uses only mail’s share of the worker, and events continue', async ({
  service,
  hanging,
}) => {
  const connection = await makeConnection({ plan: 'growth' });
  const api = apiClient(service.url, connection.accessToken);
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
  await until('connections to the mail server hang', () => hanging.open() > 0);
  for (let round = 0; round < 3; round += 1) await deliverTwenty();
  expect(hanging.most()).toBeLessThanOrEqual(MAILS_IN_FLIGHT);
  // The events were delivered before the mails, which hang for ten seconds each.
  expect(await db().message.count({ where: { sendStatus: { in: ['queued', 'sending'] } } })).toBeGreaterThan(
    0,
  );
});

/** One mail at a time is a tenth of the worker. The previous socket may still be closing. */
const MAILS_IN_FLIGHT = 2;

async function deliverTwenty(): Promise<void> {
  const hook = await makeHook(await makeConnection());
  await makeDeliveries(hook, 20);
  await allDelivered([hook], 20);
}
