import { expect } from 'vitest';
import { wakeHooks } from '#server/automation/deliveries/hook-queue.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { endedDelivery, makeDeliveries, makeHook } from '#test/fixtures/deliveries.ts';
import { test } from '#test/fixtures/delivery-test.ts';
import { addMember, makeConnection, makeUser } from '#test/fixtures/factories.ts';
import { PLATFORM } from '#test/fixtures/service.ts';
import { until } from '#test/fixtures/until.ts';

test.for([
  { status: 200, outcome: 'delivered', attempts: 1 },
  { status: 204, outcome: 'delivered', attempts: 1 },
  { status: 400, outcome: 'dropped', attempts: 1 },
  { status: 404, outcome: 'dropped', attempts: 1 },
  { status: 302, outcome: 'exhausted', attempts: 5 },
  { status: 429, outcome: 'exhausted', attempts: 5 },
  { status: 500, outcome: 'exhausted', attempts: 5 },
  { status: 503, outcome: 'exhausted', attempts: 5 },
])(
  'a receiver that always returns $status: $outcome after $attempts',
  async ({ status, outcome, attempts }, { receiver }) => {
    const hook = await makeHook(await makeConnection());
    receiver.respond(() => ({
      status,
      headers: { location: `https://${PLATFORM.hooksHost}/elsewhere` },
    }));
    await makeDeliveries(hook, 1);
    const delivery = await endedDelivery(hook.id);
    expect(delivery).toMatchObject({ outcome, attempts, nextAttemptAt: null });
    expect(delivery.attemptList.map((attempt) => attempt.statusCode)).toEqual(Array(attempts).fill(status));
    expect(receiver.received.map(({ path }) => path)).toEqual(Array(attempts).fill('/hook'));
  },
);

test('410 removes the hook and stores the reason', async ({ receiver }) => {
  const hook = await makeHook(await makeConnection());
  receiver.respond(() => ({ status: 410 }));
  await makeDeliveries(hook, 1);
  expect(await endedDelivery(hook.id)).toMatchObject({ outcome: 'dropped', attempts: 1 });
  expect(await db().hook.findUnique({ where: { id: hook.id } })).toMatchObject({ removalReason: 'gone' });
});

test('a receiver that breaks the connection gets five attempts, which do not count as errors of the hook', async ({
  receiver,
}) => {
  const hook = await makeHook(await makeConnection());
  receiver.respond(() => 'break off');
  await makeDeliveries(hook, 1);
  const delivery = await endedDelivery(hook.id);
  expect(delivery).toMatchObject({ outcome: 'exhausted', attempts: 5, hadErrorStatus: false });
  expect(delivery.attemptList[0]).toMatchObject({ outcome: 'unreachable', statusCode: null });
  expect(await db().hook.findUnique({ where: { id: hook.id } })).toMatchObject({ consecutiveErrors: 0 });
});

test('the log stores the start of the response and Retry-After', async ({ receiver }) => {
  const hook = await makeHook(await makeConnection());
  receiver.respond(() => ({
    status: 400,
    headers: { 'retry-after': '120' },
    body: `no\0 ${'x'.repeat(9_000)}`,
  }));
  await makeDeliveries(hook, 1);
  const [attempt] = (await endedDelivery(hook.id)).attemptList;
  expect(attempt?.responseExcerpt).toMatch(/^no x+$/);
  expect(attempt?.responseExcerpt?.length).toBeLessThanOrEqual(2_000);
  expect(attempt?.retryAfter).toBe('120');
});

test('49 errors and a success keep the hook; 50 errors in a row remove it', async ({ receiver }) => {
  const hook = await makeHook(await makeConnection());
  receiver.respond(() => ({ status: 400 }));
  await makeDeliveries(hook, 49);
  await until('49 deliveries ended', async () => {
    const { consecutiveErrors } = await db().hook.findUniqueOrThrow({ where: { id: hook.id } });
    return consecutiveErrors === 49;
  });
  receiver.respond(() => ({ status: 200 }));
  await makeDeliveries(hook, 1);
  await until('the success has reset the count', async () => {
    const { consecutiveErrors, removedAt } = await db().hook.findUniqueOrThrow({ where: { id: hook.id } });
    return consecutiveErrors === 0 && removedAt === null;
  });
  receiver.respond(() => ({ status: 400 }));
  await makeDeliveries(hook, 50);
  const removed = await until('the hook was removed', async () => {
    const found = await db().hook.findUniqueOrThrow({ where: { id: hook.id } });
    return found.removedAt ? found : undefined;
  });
  expect(removed).toMatchObject({ removalReason: 'failing', consecutiveErrors: 50 });
});

test('an event waiting for a removed hook is not sent', async ({ receiver }) => {
  const hook = await makeHook(await makeConnection());
  await db().hook.update({
    where: { id: hook.id },
    data: { removedAt: new Date(), removalReason: 'unsubscribed' },
  });
  await makeDeliveries(hook, 1);
  expect(await endedDelivery(hook.id)).toMatchObject({ outcome: 'cancelled', attempts: 0 });
  expect(receiver.received).toEqual([]);
});

test('a delivery for a teammate who is no longer an admin ends the connection and sends nothing', async ({
  receiver,
}) => {
  const connection = await makeConnection();
  const other = await makeUser('Ada Admin');
  await addMember(connection.workspaceId, other.id, 'owner');
  const hook = await makeHook(connection);
  await db().member.update({
    where: { workspaceId_userId: { workspaceId: connection.workspaceId, userId: connection.teammate.id } },
    data: { role: 'agent' },
  });
  await makeDeliveries(hook, 1);
  expect(await endedDelivery(hook.id)).toMatchObject({ outcome: 'cancelled', attempts: 0 });
  expect(receiver.received).toEqual([]);
  expect(await db().connection.findUnique({ where: { id: connection.id } })).toMatchObject({
    endReason: 'not_allowed',
  });
  expect(await db().hook.findUnique({ where: { id: hook.id } })).toMatchObject({
    removalReason: 'not_allowed',
  });
  expect(await db().integration.count({ where: { workspaceId: connection.workspaceId } })).toBe(0);
});

test('a hook gets an event once, even if fan-out and delivery run twice', async ({ receiver }) => {
  const hook = await makeHook(await makeConnection());
  const eventIds = await makeDeliveries(hook, 1);
  await endedDelivery(hook.id);
  await inTransaction(async (tx) => {
    await tx.eventToFanOut.createMany({ data: eventIds.map((eventId) => ({ eventId })) });
    await wakeHooks(tx, [hook.id]);
  });
  await until('no work is left', async () => {
    const left = await Promise.all([db().eventToFanOut.count(), db().queuedHook.count()]);
    return left.every((count) => count === 0);
  });
  expect(receiver.received.length).toBe(1);
  expect(await db().delivery.count({ where: { hookId: hook.id } })).toBe(1);
});

test('hooks with another filter, newer hooks, and hooks of another workspace do not get an event', async () => {
  const connection = await makeConnection();
  const event = 'operator.command';
  const hit = await makeHook(connection, { event, command: 'refund', filterKey: 'refund' });
  const every = await makeHook(connection, { event });
  const miss = await makeHook(connection, { event, command: 'ship', filterKey: 'ship' });
  const foreign = await makeHook(await makeConnection(), { event });
  const { workspaceId } = connection;
  const recorded = await db().event.create({
    data: { workspaceId, key: event, body: '{}', filterValues: ['refund'] },
  });
  const late = await makeHook(connection, { event });
  await db().eventToFanOut.create({ data: { eventId: recorded.id } });
  await endedDelivery(hit.id);
  await endedDelivery(every.id);
  expect(await db().delivery.count({ where: { hookId: { in: [miss.id, foreign.id, late.id] } } })).toBe(0);
});

test('a hook created during the transaction of an event gets the event', async () => {
  const connection = await makeConnection();
  const { workspaceId } = connection;
  const hook = await inTransaction(async (tx) => {
    await tx.$executeRaw`select now()`;
    const made = await makeHook(connection);
    const event = await tx.event.create({ data: { workspaceId, key: 'conversation.created', body: '{}' } });
    await tx.eventToFanOut.create({ data: { eventId: event.id } });
    return made;
  });
  expect(await endedDelivery(hook.id)).toMatchObject({ outcome: 'delivered' });
});
