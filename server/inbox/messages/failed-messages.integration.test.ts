import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { removeMember } from '#server/administration/members/remove-member.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { db } from '#server/core/database/prisma.ts';
import { resendMessage } from '#server/inbox/messages/resend-message.ts';
import { scheduleReply } from '#server/inbox/messages/schedule-reply.ts';
import { sendPendingReply } from '#server/inbox/messages/send-pending-reply.ts';
import { BROKEN_OFF, failBrokenOff, sendQueuedMessage } from '#server/inbox/messages/send-queued-message.ts';
import { LONG_AGO, makeConversation } from '#test/fixtures/conversations.ts';
import { withMailServer } from '#test/fixtures/mail-service.ts';
import { mergeAs } from '#test/fixtures/merge-as.ts';
import { forgetJobs, queuedJobs } from '#test/fixtures/queued-jobs.ts';
import { makeTeammates, signInTeammate, type Teammates } from '#test/fixtures/teammates.ts';

let teammates: Teammates;
let conversationId: string;
const { mail } = withMailServer();
beforeEach(async () => {
  await forgetJobs();
  teammates = await makeTeammates();
  conversationId = await makeOne();
});

/** Creates a conversation assigned to the admin, with a running first response clock. */
async function makeOne(workspaceId = teammates.workspaceId): Promise<string> {
  const id = await makeConversation({ workspaceId, teammate: teammates.admin });
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

const refuseMail = () =>
  mail.respond(() => {
    throw new Error('550 no such mailbox');
  });
const REFUSED = 'The mail server did not accept the message.';

/** Creates a reply of the agent from the inbox as a queued message. */
async function makeReply(author: Teammate = teammates.agent): Promise<string> {
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
async function makeFailed(): Promise<string> {
  refuseMail();
  const id = await makeReply();
  await sendQueuedMessage(id);
  mail.respond();
  mail.received.length = 0;
  await forgetJobs();
  return id;
}

const message = (id: string) => db().message.findUniqueOrThrow({ where: { id } });
const clock = () => db().slaClock.findFirstOrThrow({ where: { conversationId } });
const notifications = async () => {
  const rows = await db().notification.findMany({
    where: { workspaceId: teammates.workspaceId, kind: { in: ['message_failed', 'reply_not_sent'] } },
    orderBy: { createdAt: 'asc' },
  });
  return rows.map(({ userId, kind, data }) => ({ userId, kind, data }));
};
const resend = (messageId: string, by: Teammate = teammates.owner, where = conversationId) =>
  resendMessage({ workspaceId: teammates.workspaceId, conversationId: where, messageId, by });
const sendJobs = async () => (await queuedJobs()).filter(({ task }) => task === 'send-message');

describe('the first response clock', () => {
  test('stops when the reply was sent, not when it was written', async () => {
    const id = await makeReply();
    expect(await clock()).toMatchObject({ stoppedAt: null });
    await sendQueuedMessage(id);
    expect(await message(id)).toMatchObject({ sendStatus: 'sent' });
    expect(await clock()).toMatchObject({ stoppedAt: expect.any(Date), breachedAt: null });
  });

  test('keeps running when the reply failed or is held', async () => {
    await makeFailed();
    expect(await clock()).toMatchObject({ stoppedAt: null });
    teammates = await makeTeammates({ verified: false });
    conversationId = await makeOne();
    expect(await message(await makeReply())).toMatchObject({ sendStatus: 'held_for_paywall' });
    expect(await clock()).toMatchObject({ stoppedAt: null });
  });

  test('keeps running when the AI agent’s answer was sent', async () => {
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
    expect(await message(id)).toMatchObject({ sendStatus: 'sent' });
    expect(await clock()).toMatchObject({ stoppedAt: null });
  });

  test('stops when a failed message is sent again', async () => {
    const id = await makeFailed();
    await resend(id);
    expect(await clock()).toMatchObject({ stoppedAt: null });
    await sendQueuedMessage(id);
    expect(await clock()).toMatchObject({ stoppedAt: expect.any(Date) });
  });
});

describe('a message that a job fails to send', () => {
  const failed = (why: string, id: string) => [
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
  const notificationsOfBoth = async () =>
    (await notifications()).sort((a, b) =>
      a.userId === teammates.admin.id ? -1 : b.userId === teammates.admin.id ? 1 : 0,
    );

  test('notifies its author and the assignee, once', async () => {
    const id = await makeFailed();
    expect(await notificationsOfBoth()).toEqual(failed(REFUSED, id));
    await sendQueuedMessage(id);
    expect(await notifications()).toHaveLength(2);
  });

  test('notifies them once after a crash, even with two workers', async () => {
    const id = await makeReply();
    const sendStartedAt = new Date(Date.now() - 61_000);
    await db().message.update({ where: { id }, data: { sendStatus: 'sending', sendStartedAt } });
    await Promise.all([failBrokenOff(), failBrokenOff()]);
    expect(await message(id)).toMatchObject({ sendStatus: 'failed', deliveryError: BROKEN_OFF });
    expect(await notificationsOfBoth()).toEqual(failed(BROKEN_OFF, id));
  });

  test('does not notify an author who left, and notifies an assignee who is the author once', async () => {
    refuseMail();
    const id = await makeReply();
    const { workspaceId, agent, owner, admin } = teammates;
    await removeMember({ workspaceId, userId: agent.id, by: owner });
    await sendQueuedMessage(id);
    expect(await notifications()).toMatchObject([{ userId: admin.id }]);
    await db().notification.deleteMany({ where: { workspaceId } });
    await sendQueuedMessage(await makeReply(admin));
    expect(await notifications()).toMatchObject([{ userId: admin.id, data: { isYours: true } }]);
  });

  test('notifies both when a scheduled reply is refused', async () => {
    const id = randomUUID();
    const { workspaceId, agent, owner, admin } = teammates;
    await scheduleReply({ workspaceId, conversationId, id, author: agent, content: 'Hello Ada' });
    await mergeAs({ workspaceId, teammate: owner }, conversationId, await makeOne());
    await sendPendingReply(id);
    const why = 'This conversation was merged into another one. Use the other conversation instead.';
    expect(new Set(await notifications())).toEqual(
      new Set([
        { userId: agent.id, kind: 'reply_not_sent', data: { why, byName: null } },
        { userId: admin.id, kind: 'reply_not_sent', data: { why, byName: 'Aggie Agent' } },
      ]),
    );
  });
});

describe('sending a message again', () => {
  test('sends it once, even if four teammates do so in parallel', async () => {
    const id = await makeFailed();
    const asked = await Promise.allSettled([
      resend(id),
      resend(id, teammates.agent),
      resend(id),
      resend(id, teammates.admin),
    ]);
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(asked.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { errors: { message: ['This message was already sent, or is about to be sent again.'] } },
    });
    expect(await message(id)).toMatchObject({ sendStatus: 'queued', deliveryError: null });
    expect(await sendJobs()).toEqual([{ task: 'send-message', payload: { messageId: id } }]);
    await Promise.all([sendQueuedMessage(id)]);
    expect(mail.received.map(({ email }) => email.text?.trim())).toEqual(['Hello Ada']);
    expect(await message(id)).toMatchObject({ sendStatus: 'sent', authorId: teammates.agent.id });
    await expect(resend(id)).rejects.toMatchObject({ refusal: 'invalid' });
  });

  test('emits no event, and changes neither the conversation nor its timeline', async () => {
    const id = await makeFailed();
    await db().conversation.update({
      where: { id: conversationId },
      data: { assigneeId: null, assignedAt: null },
    });
    const snapshot = async () => ({
      conversation: await db().conversation.findUniqueOrThrow({ where: { id: conversationId } }),
      events: await db().event.count({ where: { workspaceId: teammates.workspaceId } }),
      entries: await db().timelineEntry.count({ where: { conversationId } }),
      messages: await db().message.count({ where: { conversationId } }),
    });
    const before = await snapshot();
    await resend(id);
    await sendQueuedMessage(id);
    expect(await snapshot()).toEqual(before);
  });

  test('sends a held message once the domain is verified, and is refused with a sentence before', async () => {
    teammates = await makeTeammates({ verified: false });
    conversationId = await makeOne();
    const id = await makeReply();
    await expect(resend(id)).rejects.toMatchObject({
      errors: { message: [expect.stringContaining('a verified email domain')] },
    });
    expect(await message(id)).toMatchObject({ sendStatus: 'held_for_paywall' });
    await db().emailDomain.updateMany({
      where: { workspaceId: teammates.workspaceId },
      data: { verifiedAt: new Date() },
    });
    await resend(id);
    await sendQueuedMessage(id);
    expect(await message(id)).toMatchObject({ sendStatus: 'sent' });
    expect(await clock()).toMatchObject({ stoppedAt: expect.any(Date) });
  });

  test('is refused to an attacker for a message of a contact, another conversation, another workspace or a merged conversation', async () => {
    const id = await makeFailed();
    const other = await makeOne();
    await expect(resend(id, teammates.owner, other)).rejects.toMatchObject({ refusal: 'not_found' });
    await expect(resend(randomUUID())).rejects.toMatchObject({ refusal: 'not_found' });
    await expect(resend('42')).rejects.toMatchObject({ refusal: 'not_found' });
    const { id: contacts } = await db().message.create({
      data: {
        workspaceId: teammates.workspaceId,
        conversationId,
        direction: 'inbound',
        authorKind: 'contact',
        content: 'Hi',
      },
    });
    await expect(resend(contacts)).rejects.toMatchObject({ refusal: 'not_found' });
    const strangers = await makeTeammates();
    const attack = resendMessage({
      workspaceId: strangers.workspaceId,
      conversationId,
      messageId: id,
      by: strangers.owner,
    });
    await expect(attack).rejects.toMatchObject({ refusal: 'not_found' });
    const { workspaceId, owner } = teammates;
    await mergeAs({ workspaceId, teammate: owner }, conversationId, other);
    await expect(resend(id)).rejects.toMatchObject({ refusal: 'invalid' });
    expect(await message(id)).toMatchObject({ sendStatus: 'failed' });
    expect(await sendJobs()).toEqual([]);
  });

  test('is refused for a viewer, by the function and by the screen’s procedure', async () => {
    const id = await makeFailed();
    await expect(resend(id, teammates.viewer)).rejects.toMatchObject({ refusal: 'forbidden' });
    const viewer = await (await signInTeammate(teammates.viewer))();
    await expect(viewer.composer.resend({ conversationId, messageId: id })).rejects.toMatchObject({
      cause: { refusal: 'forbidden' },
    });
    const agent = await (await signInTeammate(teammates.agent))();
    await agent.composer.resend({ conversationId, messageId: id });
    expect(await message(id)).toMatchObject({ sendStatus: 'queued' });
  });

  test('is offered in the thread only for failed and held messages', async () => {
    const id = await makeFailed();
    const agent = await (await signInTeammate(teammates.agent))();
    const sending = async () => {
      const items = (await agent.conversations.get({ id: conversationId }))?.conversation.items ?? [];
      return items.flatMap((item) => (item.kind === 'message' && item.id === id ? [item.sending] : []))[0];
    };
    expect(await sending()).toMatchObject({ state: 'failed', canSendAgain: true });
    await db().message.update({
      where: { id },
      data: { sendStatus: 'held_for_paywall', deliveryError: null },
    });
    expect(await sending()).toMatchObject({ state: 'held', canSendAgain: true });
    await db().message.update({ where: { id }, data: { sendStatus: 'queued' } });
    expect(await sending()).toMatchObject({ state: 'on_its_way', canSendAgain: false });
    await sendQueuedMessage(id);
    expect(await sending()).toMatchObject({ state: 'sent', canSendAgain: false });
  });
});
