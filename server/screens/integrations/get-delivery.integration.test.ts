import { expect } from 'vitest';
import { removeHooks } from '#server/automation/hooks/remove-hooks.ts';
import { db } from '#server/core/database/prisma.ts';
import { getDelivery } from '#server/screens/integrations/get-delivery.ts';
import { makeHook } from '#test/fixtures/deliveries.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { logDelivery } from '#test/fixtures/logged-deliveries.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';

const test = serviceTest.extend('hook', ({ connection }) => makeHook(connection));

test('a delivery shows its body, and every attempt with its response and an explanation', async ({
  hook,
}) => {
  const { id, eventId } = await logDelivery(hook, {
    outcome: 'dropped',
    attempts: [
      { outcome: 'unreachable', error: 'ECONNREFUSED: connect ECONNREFUSED 127.0.0.1:443', durationMs: 3 },
      { outcome: 'timed_out', error: 'No response within 15 seconds.', durationMs: 15_000 },
      { outcome: 'throttled', retryAfter: '60', responseExcerpt: '' },
      { outcome: 'rejected', responseExcerpt: '{"message":"no such workflow"}' },
    ],
    body: { conversation: { subject: 'Order 17' } },
  });
  const delivery = await open(hook.workspaceId, id);
  expect(delivery).toEqual({
    id,
    eventId,
    event: 'conversation.created',
    eventName: 'New Conversation',
    about: 'Order 17',
    state: 'failed',
    attempts: 4,
    nextAttemptAt: null,
    createdAt: expect.any(Date),
    occurredAt: expect.any(Date),
    endedAt: expect.any(Date),
    hook: {
      id: hook.id,
      filter: null,
      targetUrl: hook.targetUrl,
      teammateName: 'Olivia Owen',
      removed: null,
    },
    summary: expect.stringContaining('Zippy refused the event (404)'),
    body: JSON.stringify(
      { id: eventId, event: 'conversation.created', conversation: { subject: 'Order 17' } },
      null,
      2,
    ),
    canRedeliver: true,
    attemptList: expect.any(Array),
  });
  expect(delivery?.attemptList).toMatchObject([
    {
      number: 1,
      durationMs: 3,
      statusCode: null,
      explanation: 'Zippy refused the connection.',
      technical: 'ECONNREFUSED: connect ECONNREFUSED 127.0.0.1:443',
      excerpt: null,
    },
    { number: 2, durationMs: 15_000, explanation: 'No response within 15 seconds.', technical: null },
    { number: 3, statusCode: 429, retryAfter: '60', excerpt: null },
    { number: 4, statusCode: 404, excerpt: '{"message":"no such workflow"}', sentAgain: false },
  ]);
});

test('the first attempt after a manual redelivery is marked, and of many attempts the newest are shown', async ({
  hook,
}) => {
  const again = await logDelivery(hook, { attempts: ['failed', 'rejected', 'failed'], earlierAttempts: 2 });
  const marks = (await open(hook.workspaceId, again.id))?.attemptList.map(({ number, sentAgain }) => [
    number,
    sentAgain,
  ]);
  expect(marks).toEqual([
    [1, false],
    [2, false],
    [3, true],
  ]);
  const often = await logDelivery(hook, { outcome: 'dropped', attempts: Array(30).fill('rejected') });
  const numbers = (await open(hook.workspaceId, often.id))?.attemptList.map(({ number }) => number);
  expect(numbers).toEqual(Array.from({ length: 20 }, (_, i) => i + 11));
});

test('a finished delivery can be sent again while its workflow is live', async ({ hook }) => {
  const running = await logDelivery(hook, { attempts: ['failed'] });
  const ended = await logDelivery(hook, { outcome: 'delivered', attempts: ['delivered'] });
  expect((await open(hook.workspaceId, running.id))?.canRedeliver).toBe(false);
  expect((await open(hook.workspaceId, ended.id))?.canRedeliver).toBe(true);
  await removeHooks(db(), { workspaceId: hook.workspaceId, id: hook.id }, 'failing');
  expect(await open(hook.workspaceId, ended.id)).toMatchObject({
    canRedeliver: false,
    hook: { removed: '50 events in a row failed, each answered with an error by Zippy.' },
  });
});

test('an unknown delivery or one of another workspace is not found', async ({ hook }) => {
  const { id } = await logDelivery(await makeHook(await makeConnection()));
  for (const unknown of [id, '01890000-0000-7000-8000-000000000000', 'no id', '']) {
    expect(await open(hook.workspaceId, unknown)).toBeNull();
  }
});

const open = (workspaceId: string, id: string) =>
  getDelivery(db(), { workspaceId, id, platformName: 'Zippy' });
