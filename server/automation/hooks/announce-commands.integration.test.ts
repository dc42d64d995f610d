import { expect } from 'vitest';
import { endConnection } from '#server/automation/connections/end-connection.ts';
import { unsubscribeHook } from '#server/automation/hooks/remove-hooks.ts';
import { subscribeHook } from '#server/automation/hooks/subscribe-hook.ts';
import { planAndWrite } from '#server/core/database/planned.ts';
import { inTransaction } from '#server/core/database/prisma.ts';
import { type LiveMessage, listen } from '#server/core/live/listen.ts';
import { flushPublished, publish } from '#server/core/live/publish.ts';
import type { Connection } from '#test/fixtures/factories.ts';
import { PLATFORM } from '#test/fixtures/service.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';
import { until } from '#test/fixtures/until.ts';

const test = serviceTest.extend('messages', { scope: 'file' }, async ({ service: _ }, { onCleanup }) => {
  const messages: LiveMessage[] = [];
  const listener = listen({ onMessage: (one) => messages.push(one), onListening: () => {} });
  onCleanup(() => listener.close());
  await listener.ready(10_000);
  return messages;
});

test('open pages are notified when a command becomes available or unavailable', async ({
  connection,
  messages,
}) => {
  let hookId = '';
  const subscribed = await heardOf(connection, messages, async () => {
    hookId = (await subscribe(connection, 'operator.command')).id;
  });
  expect(subscribed).toEqual(['commands', 'deliveries']);
  const unsubscribe = () => unsubscribeHook({ workspaceId: connection.workspaceId, id: hookId });
  expect(await heardOf(connection, messages, unsubscribe)).toEqual(['commands', 'deliveries']);
});

test('open pages are notified when the connection ends, even with hooks for other events', async ({
  connection,
  messages,
}) => {
  await subscribe(connection, 'conversation.created');
  await subscribe(connection, 'operator.command');
  const end = () => inTransaction((tx) => endConnection(tx, { id: connection.id, reason: 'disconnected' }));
  expect(await heardOf(connection, messages, end)).toEqual(['commands', 'deliveries']);
});

test('open pages are not notified of commands when a hook for another event is added or removed', async ({
  connection,
  messages,
}) => {
  let hookId = '';
  const subscribed = await heardOf(connection, messages, async () => {
    hookId = (await subscribe(connection, 'conversation.created')).id;
  });
  expect(subscribed).toEqual(['deliveries']);
  expect(
    await heardOf(connection, messages, () =>
      unsubscribeHook({ workspaceId: connection.workspaceId, id: hookId }),
    ),
  ).toEqual(['deliveries']);
});

const subscribe = (connection: Connection, event: 'operator.command' | 'conversation.created') =>
  planAndWrite((tx) =>
    subscribeHook(tx, {
      workspaceId: connection.workspaceId,
      connectionId: connection.id,
      event,
      targetUrl: `https://${PLATFORM.hooksHost}/hook`,
      filter: { status: null, tag: null, command: null },
    }),
  );

/**
 * Returns the sorted topics that open pages of the workspace received during `work`. A marker message
 * published afterwards ends the recording.
 */
async function heardOf(
  connection: Connection,
  messages: LiveMessage[],
  work: () => Promise<unknown>,
): Promise<string[]> {
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
