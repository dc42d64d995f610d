import { expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { answered, attemptedDelivery, record } from '#test/fixtures/attempts.ts';
import { allDelivered, hookCounts, makeDeliveries, makeHook } from '#test/fixtures/deliveries.ts';
import { test } from '#test/fixtures/delivery-test.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { PLATFORM } from '#test/fixtures/service.ts';
import { until } from '#test/fixtures/until.ts';

test('creating a conversation delivers contact, conversation and assignment in the format of the contract', async ({
  api,
  receiver,
}) => {
  for (const event of ['contact.created', 'conversation.created', 'conversation.assigned']) {
    const hook = await api('POST', '/hooks', { event, target_url: `https://${PLATFORM.hooksHost}/${event}` });
    expect(hook.status).toBe(201);
  }
  const created = await api('POST', '/conversations', conversation);
  expect(created.status).toBe(201);
  await until('three events arrived', () => receiver.received.length === 3);

  const byEvent = new Map(receiver.received.map((request) => [request.headers['x-service-event'], request]));
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

test('a retry sends the same bytes under the same delivery id', async ({ api, receiver }) => {
  const hook = await api('POST', '/hooks', {
    event: 'conversation.created',
    target_url: `https://${PLATFORM.hooksHost}/retried`,
  });
  let responses = 0;
  receiver.respond(() => ({ status: ++responses < 3 ? 500 : 200 }));
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
  expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
  expect(new Set(receiver.received.map(({ headers }) => headers['x-service-delivery'])).size).toBe(1);
});

test('an attempt recorded before the connection broke counts once, and later deliveries continue', async ({
  receiver,
}) => {
  const hook = await makeHook(await makeConnection());
  const { id: hookId, workspaceId } = hook;
  let first: string | undefined;
  receiver.respond(async ({ headers }) => {
    const eventId = String(headers['x-service-delivery']);
    first ??= eventId;
    // Record the attempt before the worker does, as if the worker had lost the response.
    if (first === eventId) {
      const { id } = await db().delivery.findFirstOrThrow({ where: { hookId, eventId } });
      const attempted = {
        id,
        eventId,
        eventKey: 'conversation.created',
        isForEndpoint: false,
        hookId,
        workspaceId,
      };
      await record(attempted, 1, answered(200));
    }
    return { status: 200 };
  });
  await makeDeliveries(hook, 12);
  await allDelivered([hook], 12);
  expect(receiver.received.length).toBe(12);
  expect(await db().attempt.count({ where: { delivery: { hookId } } })).toBe(12);
  expect(await hookCounts(hookId)).toEqual({ made: 12, unended: 0 });
});

test('a hook claimed before the connection broke is served', async ({ receiver }) => {
  const hook = await makeHook(await makeConnection());
  await attemptedDelivery(hook);
  const { poolId: claimedBy } = await db().workerLease.findFirstOrThrow({
    where: { poolId: { startsWith: 'deliveries-' } },
  });
  await db().queuedHook.create({ data: { hookId: hook.id, dueAt: new Date(), claimedBy } });
  await allDelivered([hook], 1);
  await until(
    'the hook is released',
    async () => (await db().queuedHook.count({ where: { hookId: hook.id } })) === 0,
  );
  expect(receiver.received.length).toBe(1);
});

test('two hooks for the same event get one delivery each', async ({ receiver }) => {
  const connection = await makeConnection();
  const first = await makeHook(connection, { targetUrl: `https://${PLATFORM.hooksHost}/first` });
  const second = await makeHook(connection, { targetUrl: `https://${PLATFORM.hooksHost}/second` });
  await makeDeliveries(first, 1);
  await allDelivered([first, second], 2);
  expect(receiver.received.map(({ path }) => path).toSorted()).toEqual(['/first', '/second']);
});

test('consecutive deliveries reuse a connection', async ({ receiver }) => {
  const hook = await makeHook(await makeConnection());
  const before = receiver.connections();
  for (let n = 1; n <= 20; n += 1) {
    await makeDeliveries(hook, 1);
    await allDelivered([hook], n);
  }
  expect(receiver.connections() - before).toBeLessThanOrEqual(1);
});

const conversation = {
  to_email: 'Ada@Example.com',
  to_name: 'Ada Lovelace',
  subject: 'Your order',
  content: 'Hello Ada',
};
