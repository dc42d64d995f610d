import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { endConnection } from '#server/automation/connections/end-connection.ts';
import { unsubscribeHook } from '#server/automation/hooks/remove-hooks.ts';
import { subscribeHook } from '#server/automation/hooks/subscribe-hook.ts';
import { inTransaction } from '#server/core/database/prisma.ts';
import { type LiveMessage, listen } from '#server/core/live/listen.ts';
import type { Listener } from '#server/core/live/listen-to-database.ts';
import { flushPublished, publish } from '#server/core/live/publish.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { PLATFORM, withTestService } from '#test/fixtures/service.ts';
import { until } from '#test/fixtures/until.ts';

withTestService();
const messages: LiveMessage[] = [];
let listener: Listener;
let connection: Awaited<ReturnType<typeof makeConnection>>;
beforeAll(async () => {
  listener = listen({ onMessage: (one) => messages.push(one), onListening: () => {} });
  await listener.ready(10_000);
});
afterAll(() => listener.close());
beforeEach(async () => {
  connection = await makeConnection();
});

const subscribe = (event: 'operator.command' | 'conversation.created') =>
  subscribeHook({
    workspaceId: connection.workspaceId,
    connectionId: connection.id,
    event,
    targetUrl: `https://${PLATFORM.hooksHost}/hook`,
    filter: { status: null, tag: null, command: null },
  });

/**
 * Returns the sorted topics that open pages of the workspace received during `work`. A marker message
 * published afterwards ends the recording.
 */
async function heardOf(work: () => Promise<unknown>): Promise<string[]> {
  await flushPublished();
  messages.length = 0;
  await work();
  await flushPublished();
  publish(connection.workspaceId, 'notifications');
  await flushPublished();
  const heard = () =>
    messages.flatMap((one) =>
      'topic' in one && one.workspaceId === connection.workspaceId ? [one.topic] : [],
    );
  await until('the marker arrived', () => heard().includes('notifications'));
  return [...new Set(heard())].filter((topic) => topic !== 'notifications').sort();
}

test('open pages are notified when a command becomes available or unavailable', async () => {
  let hookId = '';
  const subscribed = await heardOf(async () => {
    hookId = (await subscribe('operator.command')).id;
  });
  expect(subscribed).toEqual(['commands', 'deliveries']);
  const unsubscribe = () => unsubscribeHook({ workspaceId: connection.workspaceId, id: hookId });
  expect(await heardOf(unsubscribe)).toEqual(['commands', 'deliveries']);
});

test('also when the connection ends, even with hooks for other events', async () => {
  await subscribe('conversation.created');
  await subscribe('operator.command');
  const end = () => inTransaction((tx) => endConnection(tx, { id: connection.id, reason: 'disconnected' }));
  expect(await heardOf(end)).toEqual(['commands', 'deliveries']);
});

test('but not when a hook for another event is added or removed', async () => {
  let hookId = '';
  const subscribed = await heardOf(async () => {
    hookId = (await subscribe('conversation.created')).id;
  });
  expect(subscribed).toEqual(['deliveries']);
  expect(await heardOf(() => unsubscribeHook({ workspaceId: connection.workspaceId, id: hookId }))).toEqual([
    'deliveries',
  ]);
});
