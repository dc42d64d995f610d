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
    dismiss: async (conversationId: string, messageId: string, isDismissed: boolean) =>
      (await screens()).composer.dismissFailure({ conversationId, messageId, isDismissed }),
    resend: async (conversationId: string, messageId: string) =>
      (await screens()).composer.resend({ conversationId, messageId }),
    sending: async (id: string, messageId: string) => {
      const items = (await (await screens()).conversations.get({ id }))?.conversation.items ?? [];
      return items.flatMap((item) =>
        item.kind === 'message' && item.id === messageId ? [item.sending] : [],
      )[0];
    },
    viewCount: async () => (await (await screens()).inbox.viewCounts()).failed.count,
  };
});

describe('the view of failed replies', () => {
  test('lists and counts a conversation while a reply failed', async ({
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

  test('lists a conversation until each failed message is sent or dismissed, whatever is sent later', async ({
    inbox,
    connection,
    conversation,
  }) => {
    const to = { workspaceId: connection.workspaceId, conversationId: conversation };
    const failed = { sendStatus: 'failed', deliveryError: 'Refused.' } as const;
    const first = await addMessage(to, failed);
    const second = await addMessage(to, { direction: 'forward', sendStatus: 'sending' });
    await setStatus(second, failed);
    await addMessage(to, { sendStatus: 'sent' });
    await addMessage(to, { direction: 'forward', sendStatus: 'sent' });
    expect(await inbox.viewCount()).toBe(1);
    await setStatus(second, { sendStatus: 'sent', deliveryError: null });
    expect([await inbox.state(conversation), await inbox.viewCount()]).toEqual(['failed', 1]);
    await inbox.dismiss(conversation, first, true);
    expect([await inbox.state(conversation), await inbox.viewCount()]).toEqual([null, 0]);
    expect(await inbox.sending(conversation, first)).toMatchObject({
      state: 'failed',
      isDismissed: true,
      canDismiss: false,
      canSendAgain: true,
    });
    await inbox.dismiss(conversation, first, false);
    expect(await inbox.viewCount()).toBe(1);
    expect(await inbox.sending(conversation, first)).toMatchObject({ isDismissed: false, canDismiss: true });
  });

  test('a message fails anew after it was dismissed and sent again', async ({
    inbox,
    connection,
    conversation,
  }) => {
    const to = { workspaceId: connection.workspaceId, conversationId: conversation };
    const id = await addMessage(to, { sendStatus: 'failed' });
    await inbox.dismiss(conversation, id, true);
    await inbox.resend(conversation, id);
    expect(await inbox.failed()).toEqual([]);
    await setStatus(id, { sendStatus: 'failed' });
    expect(await inbox.failed()).toEqual([conversation]);
  });

  test('only a failed message of the conversation is dismissed, and not by a viewer', async ({
    inbox,
    teammates,
    connection,
    conversation,
  }) => {
    const to = { workspaceId: connection.workspaceId, conversationId: conversation };
    const sent = await addMessage(to, { sendStatus: 'sent' });
    await expect(inbox.dismiss(conversation, sent, true)).rejects.toThrow('was sent meanwhile');
    const failed = await addMessage(to, { sendStatus: 'failed' });
    const other = await makeConversation(connection);
    await expect(inbox.dismiss(other, failed, true)).rejects.toThrow('was not found');
    const viewer = await (await signInTeammate(teammates.viewer))();
    const dismissal = { conversationId: conversation, messageId: failed, isDismissed: true };
    await expect(viewer.composer.dismissFailure(dismissal)).rejects.toMatchObject({
      cause: { refusal: 'forbidden' },
    });
    expect(await inbox.failed()).toEqual([conversation]);
  });

  test.for([
    ['is held', { sendStatus: 'held_for_paywall' }],
    ['is a failed forward', { direction: 'forward', sendStatus: 'failed' }],
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
