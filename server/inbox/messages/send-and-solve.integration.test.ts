import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { cancelReply } from '#server/inbox/messages/cancel-reply.ts';
import { resendMessage } from '#server/inbox/messages/resend-message.ts';
import { scheduleReply } from '#server/inbox/messages/schedule-reply.ts';
import { sendPendingReply } from '#server/inbox/messages/send-pending-reply.ts';
import { sendQueuedMessage } from '#server/inbox/messages/send-queued-message.ts';
import { listPendingReplies } from '#server/screens/inbox/list-pending-replies.ts';
import { type ConversationColumns, makeConversation } from '#test/fixtures/conversations.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { incoming, receiveMessage } from '#test/fixtures/incoming.ts';
import { test as mailTest } from '#test/fixtures/mail-test.ts';
import { mergeAs } from '#test/fixtures/merge-as.ts';
import { storedConversation } from '#test/fixtures/stored-rows.ts';
import { makeTeammates, signInTeammate, type Teammates } from '#test/fixtures/teammates.ts';

const test = mailTest.extend('conversation', ({ teammates }) => makeOne(teammates));

describe('a reply that solves its conversation', () => {
  test('solves it once the reply was sent, in the name of its author, and emits an event', async ({
    teammates,
    conversation: conversationId,
  }) => {
    await makeConnection({ workspaceId: teammates.workspaceId, teammate: teammates.owner });
    const id = await schedule(teammates, conversationId);
    const { workspaceId, agent } = teammates;
    expect(await listPendingReplies(db(), { workspaceId, conversationId, userId: agent.id })).toMatchObject([
      { id, solves: true },
    ]);
    expect(await storedConversation(conversationId)).toMatchObject({ status: 'open' });
    await sendPendingReply(id);
    expect(await storedConversation(conversationId)).toMatchObject({ status: 'open' });
    const { id: messageId } = await db().message.findFirstOrThrow({ where: { conversationId } });
    await sendQueuedMessage(messageId);
    expect(await storedConversation(conversationId)).toMatchObject({
      status: 'solved',
      resolvedAt: expect.any(Date),
    });
    expect(await entries(conversationId)).toMatchObject([
      { actorKind: 'teammate', actorId: agent.id, data: { from: 'open', to: 'solved' } },
    ]);
    const events = await db().event.findMany({ where: { workspaceId, key: 'conversation.status_changed' } });
    expect(events).toHaveLength(1);
  });

  test('solves it immediately on a channel without sending', async ({ teammates }) => {
    const conversationId = await makeOne(teammates, { channel: 'webchat', status: 'pending' });
    await makeMessage(teammates, conversationId);
    expect(await storedConversation(conversationId)).toMatchObject({ status: 'solved' });
    expect(await entries(conversationId)).toHaveLength(1);
  });

  test('does not change it when the reply was undone', async ({
    teammates,
    conversation: conversationId,
  }) => {
    const id = await schedule(teammates, conversationId);
    const { workspaceId, agent } = teammates;
    expect(await cancelReply({ workspaceId, id, by: agent })).toMatchObject({ content: 'Done.' });
    await sendPendingReply(id);
    expect(await storedConversation(conversationId)).toMatchObject({ status: 'open' });
    expect(await db().message.count({ where: { conversationId } })).toBe(0);
  });

  test('leaves it open when the reply failed, and solves it when the reply is sent again', async ({
    mail,
    teammates,
    conversation: conversationId,
  }) => {
    mail.respond(() => {
      throw new Error('550 no such mailbox');
    });
    const messageId = await makeMessage(teammates, conversationId);
    await sendQueuedMessage(messageId);
    expect(await storedConversation(conversationId)).toMatchObject({ status: 'open' });
    mail.respond();
    await resendMessage({
      workspaceId: teammates.workspaceId,
      conversationId,
      messageId,
      by: teammates.owner,
    });
    await sendQueuedMessage(messageId);
    expect(await storedConversation(conversationId)).toMatchObject({ status: 'solved' });
  });

  test('leaves it open while the reply is held', async () => {
    const teammates = await makeTeammates({ verified: false });
    const conversationId = await makeOne(teammates);
    await makeMessage(teammates, conversationId);
    expect(await storedConversation(conversationId)).toMatchObject({ status: 'open' });
  });

  test('leaves it open when the contact wrote before or during the sending', async ({
    teammates,
    conversation: conversationId,
  }) => {
    const messageId = await makeMessage(teammates, conversationId);
    await contactWrites(teammates, conversationId);
    await sendQueuedMessage(messageId);
    expect(await db().message.findUnique({ where: { id: messageId } })).toMatchObject({ sendStatus: 'sent' });
    expect(await storedConversation(conversationId)).toMatchObject({ status: 'open' });

    const other = await makeOne(teammates, { channel: 'webchat' });
    const id = await schedule(teammates, other);
    await contactWrites(teammates, other);
    await sendPendingReply(id);
    expect(await storedConversation(other)).toMatchObject({ status: 'open' });
  });

  test('is sent even if the conversation was solved, closed or merged in the meantime', async ({
    teammates,
    conversation: conversationId,
  }) => {
    for (const status of ['solved', 'closed'] as const) {
      const other = await makeOne(teammates, { channel: 'webchat', status });
      await makeMessage(teammates, other);
      expect(await storedConversation(other)).toMatchObject({ status });
      expect(await entries(other)).toEqual([]);
    }
    const messageId = await makeMessage(teammates, conversationId);
    const { workspaceId, owner } = teammates;
    await mergeAs({ workspaceId, teammate: owner }, conversationId, await makeOne(teammates));
    await sendQueuedMessage(messageId);
    expect(await db().message.findUnique({ where: { id: messageId } })).toMatchObject({ sendStatus: 'sent' });
    expect(await storedConversation(conversationId)).toMatchObject({ status: 'open' });
  });
});

test('the composer offers to solve open and pending conversations', async ({ teammates }) => {
  const agent = await (await signInTeammate(teammates.agent))();
  const canSolve = async (columns: ConversationColumns) =>
    (await agent.conversations.get({ id: await makeOne(teammates, columns) }))?.composer.canSolve;
  expect(await canSolve({ status: 'open' })).toBe(true);
  expect(await canSolve({ status: 'pending' })).toBe(true);
  expect(await canSolve({ status: 'solved' })).toBe(false);
  expect(await canSolve({ status: 'closed' })).toBe(false);
});

const makeOne = (teammates: Teammates, columns: ConversationColumns = {}) =>
  makeConversation({ workspaceId: teammates.workspaceId, teammate: teammates.admin }, columns);

async function schedule(
  teammates: Teammates,
  conversationId: string,
  id: string = randomUUID(),
): Promise<string> {
  const { workspaceId, agent: author } = teammates;
  await scheduleReply({ workspaceId, conversationId, id, author, content: 'Done.', solves: true });
  return id;
}

/** Creates a reply that solves its conversation, as a queued message. */
async function makeMessage(teammates: Teammates, conversationId: string): Promise<string> {
  await sendPendingReply(await schedule(teammates, conversationId));
  const { id } = await db().message.findFirstOrThrow({ where: { conversationId, direction: 'outbound' } });
  return id;
}

const entries = (conversationId: string) =>
  db().timelineEntry.findMany({ where: { conversationId, kind: 'status_changed' } });

const contactWrites = (teammates: Teammates, conversationId: string) =>
  receiveMessage(...incoming(teammates.workspaceId, { conversationId, content: 'One more thing' }));
