import { beforeEach, expect, test } from 'vitest';
import { removeHooks } from '#server/automation/hooks/remove-hooks.ts';
import { db } from '#server/core/database/prisma.ts';
import type { Hook } from '#server/generated/prisma/client.ts';
import { getDelivery } from '#server/screens/integrations/get-delivery.ts';
import { makeHook } from '#test/fixtures/deliveries.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { logDelivery } from '#test/fixtures/logged-deliveries.ts';
import { withTestService } from '#test/fixtures/service.ts';

withTestService();
let hook: Hook;

beforeEach(async () => {
  hook = await makeHook(await makeConnection());
});

const open = (id: string, workspaceId = hook.workspaceId) =>
  getDelivery(db(), { workspaceId, id, platformName: 'Zippy' });

test('a delivery shows its body, and every attempt with its response and an explanation', async () => {
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
  const delivery = await open(id);
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

test('the first attempt after a manual redelivery is marked, and of many attempts the newest are shown', async () => {
  const again = await logDelivery(hook, { attempts: ['failed', 'rejected', 'failed'], earlierAttempts: 2 });
  const marks = (await open(again.id))?.attemptList.map(({ number, sentAgain }) => [number, sentAgain]);
  expect(marks).toEqual([
    [1, false],
    [2, false],
    [3, true],
  ]);
  const often = await logDelivery(hook, { outcome: 'dropped', attempts: Array(30).fill('rejected') });
  const numbers = (await open(often.id))?.attemptList.map(({ number }) => number);
  expect(numbers).toEqual(Array.from({ length: 20 }, (_, i) => i + 11));
});

test('a finished delivery can be sent again while its workflow is live', async () => {
  const running = await logDelivery(hook, { attempts: ['failed'] });
  const ended = await logDelivery(hook, { outcome: 'delivered', attempts: ['delivered'] });
  expect((await open(running.id))?.canRedeliver).toBe(false);
  expect((await open(ended.id))?.canRedeliver).toBe(true);
  await removeHooks(db(), { workspaceId: hook.workspaceId, id: hook.id }, 'failing');
  expect(await open(ended.id)).toMatchObject({
    canRedeliver: false,
    hook: { removed: '50 events in a row failed, each answered with an error by Zippy.' },
  });
});

test('an unknown delivery or one of another workspace is not found', async () => {
  const { id } = await logDelivery(await makeHook(await makeConnection()));
  for (const unknown of [id, '01890000-0000-7000-8000-000000000000', 'no id', '']) {
    expect(await open(unknown)).toBeNull();
  }
});
