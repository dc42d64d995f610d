import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { resendMessage } from '#server/inbox/messages/resend-message.ts';
import { sendQueuedMessage } from '#server/inbox/messages/send-queued-message.ts';
import {
  clockOf,
  makeClocked,
  makeFailed,
  makeReply,
  resend,
  test,
} from '#test/fixtures/failed-replies-test.ts';
import { mergeAs } from '#test/fixtures/merge-as.ts';
import { forgetJobs, queuedJobs } from '#test/fixtures/queued-jobs.ts';
import { storedMessage } from '#test/fixtures/stored-rows.ts';
import { makeTeammates, signInTeammate } from '#test/fixtures/teammates.ts';

test.beforeEach(async ({ service: _ }) => forgetJobs());

describe('sending a message again', () => {
  test('sends it once, even if four teammates do so in parallel', async ({
    mail,
    teammates,
    conversation: conversationId,
  }) => {
    const id = await makeFailed(mail, teammates, conversationId);
    const asked = await Promise.allSettled([
      resend(teammates, conversationId, id),
      resend(teammates, conversationId, id, teammates.agent),
      resend(teammates, conversationId, id),
      resend(teammates, conversationId, id, teammates.admin),
    ]);
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(asked.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { errors: { message: ['This message was already sent, or is about to be sent again.'] } },
    });
    expect(await storedMessage(id)).toMatchObject({ sendStatus: 'queued', deliveryError: null });
    expect(await sendJobs()).toEqual([{ task: 'send-message', payload: { messageId: id } }]);
    await Promise.all([sendQueuedMessage(id)]);
    expect(mail.received.map(({ email }) => email.text?.trim())).toEqual(['Hello Ada']);
    expect(await storedMessage(id)).toMatchObject({ sendStatus: 'sent', authorId: teammates.agent.id });
    await expect(resend(teammates, conversationId, id)).rejects.toMatchObject({ refusal: 'invalid' });
  });

  test('emits no event, and changes neither the conversation nor its timeline', async ({
    mail,
    teammates,
    conversation: conversationId,
  }) => {
    const id = await makeFailed(mail, teammates, conversationId);
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
    await resend(teammates, conversationId, id);
    await sendQueuedMessage(id);
    // The sent reply meets the target for the first response.
    const conversation = { ...before.conversation, nextDueAt: null };
    expect(await snapshot()).toEqual({ ...before, conversation });
  });

  test('is refused with a sentence until the domain is verified, and then sends the held message', async () => {
    const teammates = await makeTeammates({ verified: false });
    const conversationId = await makeClocked(teammates);
    const id = await makeReply(teammates, conversationId);
    await expect(resend(teammates, conversationId, id)).rejects.toMatchObject({
      errors: { message: [expect.stringContaining('a verified email domain')] },
    });
    expect(await storedMessage(id)).toMatchObject({ sendStatus: 'held_for_paywall' });
    await db().emailDomain.updateMany({
      where: { workspaceId: teammates.workspaceId },
      data: { verifiedAt: new Date() },
    });
    await resend(teammates, conversationId, id);
    await sendQueuedMessage(id);
    expect(await storedMessage(id)).toMatchObject({ sendStatus: 'sent' });
    expect(await clockOf(conversationId)).toMatchObject({ stoppedAt: expect.any(Date) });
  });

  test('is refused to an attacker for a message of a contact, another conversation, another workspace or a merged conversation', async ({
    mail,
    teammates,
    conversation: conversationId,
  }) => {
    const id = await makeFailed(mail, teammates, conversationId);
    const other = await makeClocked(teammates);
    await expect(resend(teammates, conversationId, id, teammates.owner, other)).rejects.toMatchObject({
      refusal: 'not_found',
    });
    await expect(resend(teammates, conversationId, randomUUID())).rejects.toMatchObject({
      refusal: 'not_found',
    });
    await expect(resend(teammates, conversationId, '42')).rejects.toMatchObject({ refusal: 'not_found' });
    const { id: contacts } = await db().message.create({
      data: {
        workspaceId: teammates.workspaceId,
        conversationId,
        direction: 'inbound',
        authorKind: 'contact',
        content: 'Hi',
      },
    });
    await expect(resend(teammates, conversationId, contacts)).rejects.toMatchObject({ refusal: 'not_found' });
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
    await expect(resend(teammates, conversationId, id)).rejects.toMatchObject({ refusal: 'invalid' });
    expect(await storedMessage(id)).toMatchObject({ sendStatus: 'failed' });
    expect(await sendJobs()).toEqual([]);
  });

  test('is refused for a viewer, by the function and by the screen’s procedure', async ({
    mail,
    teammates,
    conversation: conversationId,
  }) => {
    const id = await makeFailed(mail, teammates, conversationId);
    await expect(resend(teammates, conversationId, id, teammates.viewer)).rejects.toMatchObject({
      refusal: 'forbidden',
    });
    const viewer = await (await signInTeammate(teammates.viewer))();
    await expect(viewer.composer.resend({ conversationId, messageId: id })).rejects.toMatchObject({
      cause: { refusal: 'forbidden' },
    });
    const agent = await (await signInTeammate(teammates.agent))();
    await agent.composer.resend({ conversationId, messageId: id });
    expect(await storedMessage(id)).toMatchObject({ sendStatus: 'queued' });
  });

  test('is offered in the thread only for failed and held messages', async ({
    mail,
    teammates,
    conversation: conversationId,
  }) => {
    const id = await makeFailed(mail, teammates, conversationId);
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

const sendJobs = async () => (await queuedJobs()).filter(({ task }) => task === 'send-message');
