import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { removeMember } from '#server/administration/members/remove-member.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { db } from '#server/core/database/prisma.ts';
import { resendMessage } from '#server/inbox/messages/resend-message.ts';
import { scheduleReply } from '#server/inbox/messages/schedule-reply.ts';
import { sendPendingReply } from '#server/inbox/messages/send-pending-reply.ts';
import { BROKEN_OFF, failBrokenOff, sendQueuedMessage } from '#server/inbox/messages/send-queued-message.ts';
import { LONG_AGO, makeConversation } from '#test/fixtures/conversations.ts';
import type { Mail } from '#test/fixtures/fixture-types.ts';
import { test as mailTest } from '#test/fixtures/mail-test.ts';
import { mergeAs } from '#test/fixtures/merge-as.ts';
import { forgetJobs } from '#test/fixtures/queued-jobs.ts';
import { MERGED } from '#test/fixtures/refused.ts';
import { storedMessage } from '#test/fixtures/stored-rows.ts';
import { makeTeammates, type Teammates } from '#test/fixtures/teammates.ts';

const test = mailTest.extend('conversation', ({ teammates }) => makeOne(teammates));

test.beforeEach(async ({ service: _ }) => forgetJobs());

describe('the first response clock', () => {
  test('stops when the reply was sent, not when it was written', async ({
    teammates,
    conversation: conversationId,
  }) => {
    const id = await makeReply(teammates, conversationId);
    expect(await clock(conversationId)).toMatchObject({ stoppedAt: null });
    await sendQueuedMessage(id);
    expect(await storedMessage(id)).toMatchObject({ sendStatus: 'sent' });
    expect(await clock(conversationId)).toMatchObject({ stoppedAt: expect.any(Date), breachedAt: null });
  });

  test('keeps running when the reply failed or is held', async ({
    mail,
    teammates,
    conversation: conversationId,
  }) => {
    await makeFailed(mail, teammates, conversationId);
    expect(await clock(conversationId)).toMatchObject({ stoppedAt: null });
    const unverified = await makeTeammates({ verified: false });
    const other = await makeOne(unverified);
    expect(await storedMessage(await makeReply(unverified, other))).toMatchObject({
      sendStatus: 'held_for_paywall',
    });
    expect(await clock(other)).toMatchObject({ stoppedAt: null });
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
    expect(await clock(conversationId)).toMatchObject({ stoppedAt: null });
  });

  test('stops when a failed message is sent again', async ({
    mail,
    teammates,
    conversation: conversationId,
  }) => {
    const id = await makeFailed(mail, teammates, conversationId);
    await resend(teammates, conversationId, id);
    expect(await clock(conversationId)).toMatchObject({ stoppedAt: null });
    await sendQueuedMessage(id);
    expect(await clock(conversationId)).toMatchObject({ stoppedAt: expect.any(Date) });
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
    const { workspaceId, agent, owner, admin } = teammates;
    await scheduleReply({ workspaceId, conversationId, id, author: agent, content: 'Hello Ada' });
    await mergeAs({ workspaceId, teammate: owner }, conversationId, await makeOne(teammates));
    await sendPendingReply(id);
    const why = MERGED;
    expect(new Set(await notifications(teammates))).toEqual(
      new Set([
        { userId: agent.id, kind: 'reply_not_sent', data: { why, byName: null } },
        { userId: admin.id, kind: 'reply_not_sent', data: { why, byName: 'Aggie Agent' } },
      ]),
    );
  });
});

/** Creates a conversation assigned to the admin, with a running first response clock. */
async function makeOne({ workspaceId, admin }: Teammates): Promise<string> {
  const id = await makeConversation({ workspaceId, teammate: admin });
  await db().slaClock.create({
    data: {
      workspaceId,
      conversationId: id,
      kind: 'first_response',
      startedAt: LONG_AGO,
      dueAt: new Date(Date.now() + 60_000),
    },
  });
  return id;
}

const refuseMail = (mail: Mail) =>
  mail.respond(() => {
    throw new Error('550 no such mailbox');
  });
const REFUSED = 'The mail server did not accept the message.';

/** Creates a reply of the agent from the inbox as a queued message. */
async function makeReply(
  teammates: Teammates,
  conversationId: string,
  author: Teammate = teammates.agent,
): Promise<string> {
  const id = randomUUID();
  await scheduleReply({
    workspaceId: teammates.workspaceId,
    conversationId,
    id,
    author,
    content: 'Hello Ada',
  });
  await sendPendingReply(id);
  const { id: messageId } = await db().message.findFirstOrThrow({
    where: { conversationId },
    orderBy: { createdAt: 'desc' },
  });
  return messageId;
}

async function makeFailed(mail: Mail, teammates: Teammates, conversationId: string): Promise<string> {
  refuseMail(mail);
  const id = await makeReply(teammates, conversationId);
  await sendQueuedMessage(id);
  mail.respond();
  mail.received.length = 0;
  await forgetJobs();
  return id;
}

const clock = (conversationId: string) => db().slaClock.findFirstOrThrow({ where: { conversationId } });

const notifications = async (teammates: Teammates) => {
  const rows = await db().notification.findMany({
    where: { workspaceId: teammates.workspaceId, kind: { in: ['message_failed', 'reply_not_sent'] } },
    orderBy: { createdAt: 'asc' },
  });
  return rows.map(({ userId, kind, data }) => ({ userId, kind, data }));
};

const resend = (
  teammates: Teammates,
  conversationId: string,
  messageId: string,
  by: Teammate = teammates.owner,
  where = conversationId,
) => resendMessage({ workspaceId: teammates.workspaceId, conversationId: where, messageId, by });
