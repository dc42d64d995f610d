import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { removeMember } from '#server/administration/members/remove-member.ts';
import { db } from '#server/core/database/prisma.ts';
import { updateConversation } from '#server/inbox/conversations/update-conversation.ts';
import { recordStatus } from '#server/inbox/messages/record-status.ts';
import { scheduleReply } from '#server/inbox/messages/schedule-reply.ts';
import { sendPendingReply } from '#server/inbox/messages/send-pending-reply.ts';
import { BROKEN_OFF, failBrokenOff, sendQueuedMessage } from '#server/inbox/messages/send-queued-message.ts';
import {
  clockOf,
  makeClocked,
  makeFailed,
  makeReply,
  refuseMail,
  resend,
  test,
} from '#test/fixtures/failed-replies-test.ts';
import { incoming, receiveMessage } from '#test/fixtures/incoming.ts';
import { forgetJobs } from '#test/fixtures/queued-jobs.ts';
import { storedConversation, storedMessage } from '#test/fixtures/stored-rows.ts';
import { makeTeammates, type Teammates } from '#test/fixtures/teammates.ts';

test.beforeEach(async ({ service: _ }) => forgetJobs());

describe('the first response clock', () => {
  test('stops when the reply was sent, not when it was written', async ({
    teammates,
    conversation: conversationId,
  }) => {
    const id = await makeReply(teammates, conversationId);
    expect(await clockOf(conversationId)).toMatchObject({ stoppedAt: null });
    await sendQueuedMessage(id);
    expect(await storedMessage(id)).toMatchObject({ sendStatus: 'sent' });
    expect(await clockOf(conversationId)).toMatchObject({ stoppedAt: expect.any(Date), breachedAt: null });
  });

  test('keeps running when the reply failed or is held', async ({
    mail,
    teammates,
    conversation: conversationId,
  }) => {
    await makeFailed(mail, teammates, conversationId);
    expect(await clockOf(conversationId)).toMatchObject({ stoppedAt: null });
    const unverified = await makeTeammates({ verified: false });
    const other = await makeClocked(unverified);
    expect(await storedMessage(await makeReply(unverified, other))).toMatchObject({
      sendStatus: 'held_for_paywall',
    });
    expect(await clockOf(other)).toMatchObject({ stoppedAt: null });
  });

  test('continues when the only reply that was sent comes back, unless the conversation is solved', async ({
    teammates,
    conversation: conversationId,
  }) => {
    const { workspaceId } = teammates;
    const send = async () => {
      const id = await makeReply(teammates, conversationId);
      await sendQueuedMessage(id);
      return id;
    };
    const comeBack = async (id: string) => {
      const { externalId: providerId } = await storedMessage(id);
      const report = { workspaceId, channelAccountId: null, providerId: providerId ?? '', reason: null };
      await recordStatus({ ...report, status: 'failed' });
      expect(await storedMessage(id)).toMatchObject({ sendStatus: 'failed' });
    };
    const [first, second] = [await send(), await send()];
    await comeBack(first);
    expect(await clockOf(conversationId)).toMatchObject({ stoppedAt: expect.any(Date) });
    await receiveMessage(...incoming(workspaceId, { conversationId }));
    await comeBack(second);
    expect(await clockOf(conversationId)).toMatchObject({ stoppedAt: null, breachedAt: null });
    const third = await send();
    await db().conversation.update({ where: { id: conversationId }, data: { status: 'solved' } });
    await comeBack(third);
    expect(await clockOf(conversationId)).toMatchObject({ stoppedAt: expect.any(Date) });
  });

  test('stays stopped after solving when a reply comes back', async ({
    teammates,
    conversation: conversationId,
  }) => {
    const { workspaceId, agent } = teammates;
    const actor = { kind: 'teammate', teammate: agent } as const;
    const set = (status: 'solved' | 'open') =>
      updateConversation({ workspaceId, id: conversationId, actor, changes: { status } });
    await set('solved');
    await set('open');
    const id = await makeReply(teammates, conversationId);
    await sendQueuedMessage(id);
    const { externalId } = await storedMessage(id);
    const report = { workspaceId, channelAccountId: null, providerId: externalId ?? '', reason: null };
    await recordStatus({ ...report, status: 'failed' });
    expect(await clockOf(conversationId)).toMatchObject({ stoppedAt: expect.any(Date) });
  });

  test('keeps running when the AI agent’s answer was sent', async ({
    teammates,
    conversation: conversationId,
  }) => {
    const { workspaceId } = teammates;
    const { id } = await db().message.create({
      data: {
        workspaceId,
        conversationId,
        direction: 'outbound',
        authorKind: 'ai_agent',
        content: 'Hi',
        sendStatus: 'queued',
      },
    });
    await sendQueuedMessage(id);
    expect(await storedMessage(id)).toMatchObject({ sendStatus: 'sent' });
    expect(await clockOf(conversationId)).toMatchObject({ stoppedAt: null });
  });

  test('stops when a failed message is sent again', async ({
    mail,
    teammates,
    conversation: conversationId,
  }) => {
    const id = await makeFailed(mail, teammates, conversationId);
    await resend(teammates, conversationId, id);
    expect(await clockOf(conversationId)).toMatchObject({ stoppedAt: null });
    await sendQueuedMessage(id);
    expect(await clockOf(conversationId)).toMatchObject({ stoppedAt: expect.any(Date) });
  });
});

describe('the contact', () => {
  const waitingSince = async (id: string) => (await storedConversation(id)).waitingSince;
  const receive = (teammates: Teammates, conversationId: string) =>
    receiveMessage(...incoming(teammates.workspaceId, { channel: 'email', conversationId }));

  test('waits again since their message when the reply failed, until it is sent again', async ({
    mail,
    teammates,
    conversation: id,
  }) => {
    const { messageId } = await receive(teammates, id);
    const { createdAt } = await storedMessage(messageId);
    const reply = await makeFailed(mail, teammates, id);
    expect(await waitingSince(id)).toEqual(createdAt);
    await resend(teammates, id, reply);
    await sendQueuedMessage(reply);
    expect(await waitingSince(id)).toBeNull();
  });

  test('waits since their message after the conversation was last solved, also if that needed no reply', async ({
    mail,
    teammates,
    conversation: id,
  }) => {
    await receive(teammates, id);
    const actor = { kind: 'teammate', teammate: teammates.agent } as const;
    await updateConversation({
      workspaceId: teammates.workspaceId,
      id,
      actor,
      changes: { status: 'solved' },
    });
    const { messageId } = await receive(teammates, id);
    const { createdAt } = await storedMessage(messageId);
    expect(await waitingSince(id)).toEqual(createdAt);
    await makeFailed(mail, teammates, id);
    expect(await waitingSince(id)).toEqual(createdAt);
  });

  test('does not wait when an earlier or a later reply arrived', async ({
    mail,
    teammates,
    conversation: id,
  }) => {
    await receive(teammates, id);
    const first = await makeReply(teammates, id);
    const second = await makeReply(teammates, id);
    await sendQueuedMessage(second);
    refuseMail(mail);
    await sendQueuedMessage(first);
    expect(await storedMessage(first)).toMatchObject({ sendStatus: 'failed' });
    expect(await waitingSince(id)).toBeNull();
    await makeFailed(mail, teammates, id);
    expect(await waitingSince(id)).toBeNull();
  });

  test('still waits after their newer message when a failed reply is sent again', async ({
    mail,
    teammates,
    conversation: id,
  }) => {
    await receive(teammates, id);
    const reply = await makeFailed(mail, teammates, id);
    await receive(teammates, id);
    const before = await waitingSince(id);
    expect(before).toBeInstanceOf(Date);
    await resend(teammates, id, reply);
    await sendQueuedMessage(reply);
    expect(await waitingSince(id)).toEqual(before);
  });
});

describe('a message that a job fails to send', () => {
  const failed = (teammates: Teammates, why: string, id: string) => [
    {
      userId: teammates.admin.id,
      kind: 'message_failed',
      data: { messageId: id, why, isYours: false, byName: 'Aggie Agent' },
    },
    {
      userId: teammates.agent.id,
      kind: 'message_failed',
      data: { messageId: id, why, isYours: true, byName: 'Aggie Agent' },
    },
  ];
  const notificationsOfBoth = async (teammates: Teammates) =>
    (await notifications(teammates)).sort((a, b) =>
      a.userId === teammates.admin.id ? -1 : b.userId === teammates.admin.id ? 1 : 0,
    );

  test('notifies its author and the assignee, once', async ({
    mail,
    teammates,
    conversation: conversationId,
  }) => {
    const id = await makeFailed(mail, teammates, conversationId);
    expect(await notificationsOfBoth(teammates)).toEqual(failed(teammates, REFUSED, id));
    await sendQueuedMessage(id);
    expect(await notifications(teammates)).toHaveLength(2);
  });

  test('notifies them once after a crash, even with two workers', async ({
    teammates,
    conversation: conversationId,
  }) => {
    const id = await makeReply(teammates, conversationId);
    const sendStartedAt = new Date(Date.now() - 61_000);
    await db().message.update({ where: { id }, data: { sendStatus: 'sending', sendStartedAt } });
    await Promise.all([failBrokenOff(), failBrokenOff()]);
    expect(await storedMessage(id)).toMatchObject({ sendStatus: 'failed', deliveryError: BROKEN_OFF });
    expect(await notificationsOfBoth(teammates)).toEqual(failed(teammates, BROKEN_OFF, id));
  });

  test('does not notify an author who left, and notifies an assignee who is the author once', async ({
    mail,
    teammates,
    conversation: conversationId,
  }) => {
    refuseMail(mail);
    const id = await makeReply(teammates, conversationId);
    const { workspaceId, agent, owner, admin } = teammates;
    await removeMember({ workspaceId, userId: agent.id, by: owner });
    await sendQueuedMessage(id);
    expect(await notifications(teammates)).toMatchObject([{ userId: admin.id }]);
    await db().notification.deleteMany({ where: { workspaceId } });
    await sendQueuedMessage(await makeReply(teammates, conversationId, admin));
    expect(await notifications(teammates)).toMatchObject([{ userId: admin.id, data: { isYours: true } }]);
  });

  test('notifies both when a scheduled reply is refused', async ({
    teammates,
    conversation: conversationId,
  }) => {
    const id = randomUUID();
    const { workspaceId, agent, admin } = teammates;
    await scheduleReply({ workspaceId, conversationId, id, author: agent, content: 'Hello Ada' });
    const removed = { removal: 'spam' as const, removedAt: new Date() };
    await db().conversation.update({ where: { id: conversationId }, data: removed });
    await sendPendingReply(id);
    const { problem: why } = await db().pendingReply.findUniqueOrThrow({ where: { id } });
    expect(why).toContain('spam');
    expect(new Set(await notifications(teammates))).toEqual(
      new Set([
        { userId: agent.id, kind: 'reply_not_sent', data: { why, byName: null } },
        { userId: admin.id, kind: 'reply_not_sent', data: { why, byName: 'Aggie Agent' } },
      ]),
    );
  });
});

const REFUSED = 'The mail server did not accept the message.';

const notifications = async (teammates: Teammates) => {
  const rows = await db().notification.findMany({
    where: { workspaceId: teammates.workspaceId, kind: { in: ['message_failed', 'reply_not_sent'] } },
    orderBy: { createdAt: 'asc' },
  });
  return rows.map(({ userId, kind, data }) => ({ userId, kind, data }));
};
