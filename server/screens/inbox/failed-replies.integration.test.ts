import { v7 as uuidv7 } from 'uuid';
import { describe, expect } from 'vitest';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import type { Prisma } from '#server/generated/prisma/client.ts';
import { lockConversation } from '#server/inbox/conversations/lock-conversation.ts';
import { cancelReply } from '#server/inbox/messages/cancel-reply.ts';
import { countLockWaiters } from '#test/database/count-lock-waiters.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';
import { signInTeammate } from '#test/fixtures/teammates.ts';
import { until } from '#test/fixtures/until.ts';

/** Calls of the inbox by the owner. */
const test = serviceTest.extend('inbox', async ({ connection }) => {
  const screens = await signInTeammate(connection.teammate);
  return {
    failed: async () => (await (await screens()).inbox.list({ reply: 'failed' })).rows.map(({ id }) => id),
    state: async (id: string) =>
      (await (await screens()).inbox.list({})).rows.find((row) => row.id === id)?.reply,
    counts: async () => (await (await screens()).inbox.counts({ reply: 'failed' })).open.count,
    viewCount: async () => (await (await screens()).inbox.viewCounts()).failed.count,
  };
});

describe('the view of failed replies', () => {
  test('lists and counts a conversation while its last reply failed', async ({
    inbox,
    connection,
    conversation,
  }) => {
    const to = { workspaceId: connection.workspaceId, conversationId: conversation };
    const id = await addMessage(to, { sendStatus: 'queued' });
    expect([await inbox.state(conversation), await inbox.failed()]).toEqual(['waiting', []]);
    await setStatus(id, { sendStatus: 'sending' });
    expect(await inbox.state(conversation)).toBe('waiting');
    await setStatus(id, { sendStatus: 'failed', deliveryError: 'Refused.' });
    expect([await inbox.state(conversation), await inbox.failed()]).toEqual(['failed', [conversation]]);
    expect([await inbox.counts(), await inbox.viewCount()]).toEqual([1, 1]);
    await addMessage(to, { direction: 'inbound', authorKind: 'contact' });
    expect(await inbox.failed()).toEqual([conversation]);
    await setStatus(id, { sendStatus: 'queued', deliveryError: null });
    expect(await inbox.failed()).toEqual([]);
    await setStatus(id, { sendStatus: 'sent' });
    expect([await inbox.state(conversation), await inbox.failed()]).toEqual([null, []]);
  });

  test('drops a conversation when a newer reply is sent', async ({ inbox, connection, conversation }) => {
    const to = { workspaceId: connection.workspaceId, conversationId: conversation };
    await addMessage(to, { sendStatus: 'failed', deliveryError: 'Refused.' });
    expect(await inbox.viewCount()).toBe(1);
    await addMessage(to, { sendStatus: 'sent' });
    expect(await inbox.viewCount()).toBe(0);
  });

  test.for([
    ['is held', { sendStatus: 'held_for_paywall' }],
    ['failed without a status', { deliveryError: 'Not connected.' }],
  ] as const)(
    'lists a conversation whose reply %s',
    async ([, columns], { inbox, connection, conversation }) => {
      await addMessage({ workspaceId: connection.workspaceId, conversationId: conversation }, columns);
      expect(await inbox.failed()).toEqual([conversation]);
    },
  );

  test('lists a conversation until its refused reply is discarded', async ({ inbox, connection }) => {
    const { workspaceId, teammate } = connection;
    const conversationId = await makeConversation(connection);
    const id = uuidv7();
    await db().pendingReply.create({
      data: { id, workspaceId, conversationId, authorId: teammate.id, content: 'Hi', sendAt: new Date() },
    });
    expect([await inbox.state(conversationId), await inbox.failed()]).toEqual(['waiting', []]);
    await db().pendingReply.update({ where: { id }, data: { problem: 'Refused.' } });
    expect([await inbox.state(conversationId), await inbox.failed()]).toEqual(['failed', [conversationId]]);
    await db().pendingReply.delete({ where: { id } });
    expect([await inbox.state(conversationId), await inbox.failed()]).toEqual([null, []]);
  });

  test('lists a conversation whose reply fails while another, refused reply is discarded', async ({
    inbox,
    connection,
    conversation: conversationId,
  }) => {
    const { workspaceId, teammate } = connection;
    const message = await addMessage({ workspaceId, conversationId }, { sendStatus: 'sending' });
    const id = uuidv7();
    await db().pendingReply.create({
      data: { id, workspaceId, conversationId, authorId: teammate.id, content: 'Hi', sendAt: new Date() },
    });
    await db().pendingReply.update({ where: { id }, data: { problem: 'Refused.' } });
    const { cancelling } = await inTransaction(async (tx) => {
      await lockConversation(tx, { workspaceId, id: conversationId });
      await tx.message.update({ where: { id: message }, data: { sendStatus: 'failed' } });
      const cancelling = cancelReply({ workspaceId, id, by: teammate });
      await until('the conversation is waited for', async () => (await countLockWaiters()) > 0);
      return { cancelling };
    });
    await cancelling;
    expect(await inbox.failed()).toEqual([conversationId]);
  });

  test('lists a failed forward until anything is sent after it, and no forward hides a failed reply', async ({
    inbox,
    connection,
  }) => {
    const conversationId = await makeConversation(connection);
    const to = { workspaceId: connection.workspaceId, conversationId };
    const forward = await addMessage(to, { direction: 'forward', sendStatus: 'queued' });
    expect(await inbox.failed()).toEqual([]);
    await setStatus(forward, { sendStatus: 'failed', deliveryError: 'Refused.' });
    expect([await inbox.state(conversationId), await inbox.failed()]).toEqual(['failed', [conversationId]]);
    await addMessage(to, { direction: 'forward', sendStatus: 'sent' });
    expect(await inbox.failed()).toEqual([]);
    await addMessage(to, { sendStatus: 'failed', deliveryError: 'Refused.' });
    await addMessage(to, { direction: 'forward', sendStatus: 'sent' });
    expect(await inbox.failed()).toEqual([conversationId]);
    await addMessage(to, { sendStatus: 'sent' });
    expect(await inbox.failed()).toEqual([]);
  });

  test('shows an attacker nothing of another workspace', async ({ connection, conversation, teammates }) => {
    await addMessage(
      { workspaceId: connection.workspaceId, conversationId: conversation },
      { sendStatus: 'failed' },
    );
    const screens = await (await signInTeammate(teammates.owner))();
    expect((await screens.inbox.list({ reply: 'failed' })).rows).toEqual([]);
    expect((await screens.inbox.viewCounts()).failed.count).toBe(0);
  });
});

type Which = { workspaceId: string; conversationId: string };
let minute = 0;

async function addMessage(to: Which, columns: Partial<Prisma.MessageUncheckedCreateInput>): Promise<string> {
  minute += 1;
  const createdAt = new Date(Date.parse('2026-11-21T12:00:00.000Z') + minute * 60_000);
  const author = { direction: 'outbound', authorKind: 'ai_agent' } as const;
  const { id } = await db().message.create({
    data: { ...to, ...author, content: 'Hello', createdAt, ...columns },
    select: { id: true },
  });
  return id;
}

const setStatus = (id: string, columns: Prisma.MessageUpdateInput) =>
  db().message.update({ where: { id }, data: columns, select: { id: true } });
