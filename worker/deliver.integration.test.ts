import { expect, test } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { withDeliveryService } from '#test/fixtures/delivery-service.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { PLATFORM } from '#test/fixtures/service.ts';
import { until } from '#test/fixtures/until.ts';

const running = withDeliveryService();

const conversation = {
  to_email: 'Ada@Example.com',
  to_name: 'Ada Lovelace',
  subject: 'Your order',
  content: 'Hello Ada',
};

test('creating a conversation delivers contact, conversation and assignment in the format of the contract', async () => {
  const connection = await makeConnection();
  const api = apiClient(running().service.url, connection.accessToken);
  for (const event of ['contact.created', 'conversation.created', 'conversation.assigned']) {
    const hook = await api('POST', '/hooks', { event, target_url: `https://${PLATFORM.hooksHost}/${event}` });
    expect(hook.status).toBe(201);
  }
  const created = await api('POST', '/conversations', conversation);
  expect(created.status).toBe(201);
  await until('three events arrived', () => running().receiver.received.length === 3);

  const byEvent = new Map(
    running().receiver.received.map((request) => [request.headers['x-service-event'], request]),
  );
  const request = byEvent.get('conversation.created');
  const body = JSON.parse(request?.body ?? '{}');
  expect(request?.path).toBe('/conversation.created');
  expect(request?.headers).toMatchObject({
    'content-type': 'application/json',
    accept: 'application/json',
    'user-agent': 'Service-Integration/1',
    'x-service-delivery': body.id,
    host: PLATFORM.hooksHost,
  });
  expect(Object.keys(body)).toEqual(['id', 'event', 'occurred_at', 'conversation']);
  expect(body.conversation).toEqual(created.body);
  expect(body.occurred_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/);
  expect(JSON.parse(byEvent.get('conversation.assigned')?.body ?? '{}')).toMatchObject({
    conversation: created.body,
    previous_assignee: null,
  });
  expect(JSON.parse(byEvent.get('contact.created')?.body ?? '{}').contact).toEqual(body.conversation.contact);
});

test('a retry sends the same bytes under the same delivery id', async () => {
  const connection = await makeConnection();
  const api = apiClient(running().service.url, connection.accessToken);
  const hook = await api('POST', '/hooks', {
    event: 'conversation.created',
    target_url: `https://${PLATFORM.hooksHost}/retried`,
  });
  let responses = 0;
  running().receiver.respond(() => ({ status: ++responses < 3 ? 500 : 200 }));
  await api('POST', '/conversations', conversation);
  const hookId = (hook.body as { id: string }).id;
  const delivery = await until('the delivery ended', () =>
    db()
      .delivery.findFirst({ where: { hookId, endedAt: { not: null } }, include: { attemptList: true } })
      .then((d) => d ?? undefined),
  );
  expect(delivery.outcome).toBe('delivered');
  expect(delivery.attemptList.map(({ number, statusCode }) => [number, statusCode])).toEqual([
    [1, 500],
    [2, 500],
    [3, 200],
  ]);
  expect(new Set(running().receiver.received.map(({ body }) => body)).size).toBe(1);
  expect(new Set(running().receiver.received.map(({ headers }) => headers['x-service-delivery'])).size).toBe(
    1,
  );
});
