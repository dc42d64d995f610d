import { describe, expect } from 'vitest';
import { purgeDeleted } from '#server/administration/workspaces/purge-deleted.ts';
import { db } from '#server/core/database/prisma.ts';
import { removeConversation } from '#server/inbox/conversations/removal.ts';
import { makeConversation, type Stage } from '#test/fixtures/conversations.ts';
import { makeHook } from '#test/fixtures/deliveries.ts';
import { makeOccurrence } from '#test/fixtures/occurrences.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';
import { replyWithFile } from '#test/fixtures/stored-files.ts';

const DAY_MS = 86_400_000;

const test = serviceTest.extend('settings', { scope: 'file' }, { HISTORY_DAYS: '60' });

describe('30 days after a conversation was deleted', () => {
  test('it is gone with its messages, files, events, samples and merged conversations', async ({
    connection,
  }) => {
    const { workspaceId, teammate } = connection;
    const id = await makeOccurrence('message.received', connection, { at: new Date() });
    await makeConversation(connection, { mergedIntoId: id });
    const other = await makeOccurrence('message.received', connection, { at: new Date() });
    await db().conversation.update({ where: { id }, data: { createdAt: new Date(Date.now() + DAY_MS) } });
    await replyWithFile({ workspaceId, by: teammate }, { content: 'secret' });
    await deleteAgo(connection, id, 31);
    expect(await purgeDeleted()).toBe(1);
    expect(await purgeDeleted()).toBe(0);
    expect(await db().conversation.findMany({ where: { workspaceId }, select: { id: true } })).toEqual([
      { id: other },
    ]);
    const bodies = (await db().event.findMany({ where: { workspaceId } })).map(({ body }) => body);
    expect(bodies).not.toHaveLength(0);
    expect(bodies.every((body) => body.includes(other) && !body.includes(id))).toBe(true);
    const where = { workspaceId, conversationId: id };
    expect([
      await db().message.count({ where }),
      await db().sample.count({ where }),
      await db().timelineEntry.count({ where }),
      await db().storedFile.count({ where: { workspaceId, expiresAt: null } }),
    ]).toEqual([0, 0, 0, 0]);
  });

  test('two workers remove it once', async ({ connection, conversation }) => {
    await deleteAgo(connection, conversation, 31);
    await Promise.all([purgeDeleted(), purgeDeleted()]);
    expect(await db().conversation.count({ where: { id: conversation } })).toBe(0);
  });
});

test('hooks without deliveries of the conversation are not locked meanwhile', async ({
  connection,
  conversation,
}) => {
  await makeHook(connection);
  await deleteAgo(connection, conversation, 31);
  await db().$transaction(async (tx) => {
    await tx.$queryRaw`select 1 from hooks for no key update`;
    expect(await purgeDeleted()).toBe(1);
  });
});

test('nothing is removed earlier, and spam never', async ({ connection, conversation }) => {
  await deleteAgo(connection, conversation, 29);
  const spam = await makeConversation(connection, {
    removal: 'spam',
    removedAt: new Date(Date.now() - 90 * DAY_MS),
  });
  expect(await purgeDeleted()).toBe(0);
  expect(await db().conversation.count({ where: { id: { in: [conversation, spam] } } })).toBe(2);
});

async function deleteAgo({ workspaceId, teammate }: Stage, id: string, days: number): Promise<void> {
  await removeConversation({ workspaceId, id, to: 'deleted', actor: { kind: 'teammate', teammate } });
  const removedAt = new Date(Date.now() - days * DAY_MS);
  await db().conversation.update({ where: { id }, data: { removedAt } });
}
