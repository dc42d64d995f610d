import { v7 as uuidv7 } from 'uuid';
import { describe, expect } from 'vitest';
import { cancelEvents } from '#server/automation/deliveries/cancel-events.ts';
import { redeliver } from '#server/automation/deliveries/redeliver.ts';
import { countFailed, redeliverFailedBatch } from '#server/automation/deliveries/redeliver-failed.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import type { Hook } from '#server/generated/prisma/client.ts';
import { removeConversation, restoreConversation } from '#server/inbox/conversations/removal.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import type { Connection } from '#test/fixtures/factories.ts';
import { test as hookTest } from '#test/fixtures/hook-test.ts';
import { logDelivery } from '#test/fixtures/logged-deliveries.ts';
import { forgetJobs, queuedJobs } from '#test/fixtures/queued-jobs.ts';

/**
 * - `log`: creates a delivery of an event about a conversation.
 * - `remove`: marks a conversation as spam or deletes it, and runs the job that this queues.
 * - `resend`: redelivers a delivery by hand.
 */
const test = hookTest
  .extend('log', ({ hook }) => loggerOf(hook))
  .extend('remove', ({ connection }) => removerOf(connection))
  .extend('resend', ({ connection }) => resenderOf(connection));

describe.for(['spam', 'deleted'] as const)('after its conversation is %s, an event', (to) => {
  test('that waits for a retry or failed is not sent, not even by a teammate', async ({
    connection,
    conversation,
    log,
    remove,
    resend,
  }) => {
    const { workspaceId } = connection;
    const failures = ['failed', 'failed', 'failed', 'failed', 'failed'] as const;
    const retrying = await log(conversation);
    const exhausted = await log(conversation, { outcome: 'exhausted', attempts: [...failures] });
    const delivered = await log(conversation, { outcome: 'delivered', attempts: ['delivered'] });
    const other = await log(await makeConversation(connection));
    await remove(conversation, to);
    for (const { id } of [retrying, exhausted]) {
      expect(await read(id)).toMatchObject({ outcome: 'cancelled', nextAttemptAt: null });
    }
    expect(await read(delivered.id)).toMatchObject({ outcome: 'delivered' });
    expect(await read(other.id)).toMatchObject({ outcome: null, endedAt: null });
    for (const { id } of [retrying, exhausted, delivered]) {
      await expect(resend(id)).rejects.toMatchObject({
        message: 'This event is about a spam or deleted conversation. Move it back to the inbox first.',
      });
    }
    expect(await countFailed(db(), { workspaceId })).toBe(0);
    const which = { workspaceId, hookId: null, before: new Date() };
    expect(await redeliverFailedBatch(which)).toEqual({ resent: 0, more: false });
  });

  test('that waits for the fan-out becomes no delivery', async ({ hook, conversation, remove }) => {
    const { workspaceId, event: key } = hook;
    await forgetJobs();
    const [about, other] = [uuidv7(), uuidv7()];
    for (const [id, conversationId] of [
      [about, conversation],
      [other, uuidv7()],
    ] as const) {
      const body = JSON.stringify({ id, conversation: { id: conversationId } });
      await db().event.create({ data: { id, workspaceId, key, body } });
      await db().eventToFanOut.create({ data: { eventId: id } });
    }
    await remove(conversation, to);
    expect(await db().eventToFanOut.findMany()).toEqual([{ eventId: other }]);
    await forgetJobs();
  });

  test('of a conversation that was merged into it is not sent', async ({
    connection,
    conversation,
    log,
    remove,
  }) => {
    const merged = await makeConversation(connection, { mergedIntoId: conversation });
    const { id } = await log(merged);
    await remove(conversation, to);
    expect(await read(id)).toMatchObject({ outcome: 'cancelled' });
  });

  test('can be sent by a teammate once it is restored', async ({
    connection,
    conversation,
    log,
    remove,
    resend,
  }) => {
    const { id } = await log(conversation);
    await remove(conversation, to);
    const { workspaceId, teammate } = connection;
    await restoreConversation({
      workspaceId,
      id: conversation,
      from: to,
      actor: { kind: 'teammate', teammate },
    });
    await resend(id);
    expect(await read(id)).toMatchObject({ outcome: null, endedAt: null });
  });
});

test('an event stays due if the conversation was restored before the job ran', async ({
  connection,
  conversation,
  log,
}) => {
  const { id } = await log(conversation);
  await cancelEvents({ workspaceId: connection.workspaceId, conversationId: conversation });
  expect(await read(id)).toMatchObject({ outcome: null, endedAt: null });
});

function read(id: string) {
  return db().delivery.findUniqueOrThrow({ where: { id } });
}

function loggerOf(hook: Hook) {
  return (conversationId: string, fields: Parameters<typeof logDelivery>[1] = { attempts: ['failed'] }) =>
    logDelivery(hook, { ...fields, body: { conversation: { id: conversationId } } });
}

function removerOf({ workspaceId, teammate }: Connection) {
  return async (id: string, to: 'spam' | 'deleted') => {
    await removeConversation({ workspaceId, id, to, actor: { kind: 'teammate', teammate } });
    const payload = { workspaceId, conversationId: id };
    expect(await queuedJobs()).toContainEqual({ task: 'cancel-events', payload });
    await cancelEvents(payload);
  };
}

function resenderOf({ workspaceId, teammate: by }: Connection) {
  return (id: string) => inTransaction((tx) => redeliver(tx, { workspaceId, id, by, platformName: 'Zippy' }));
}
