import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import type { Role } from '#server/generated/prisma/enums.ts';
import { resendMessage } from '#server/inbox/messages/resend-message.ts';
import { sendQueuedMessage } from '#server/inbox/messages/send-queued-message.ts';
import type { ComposerView } from '#server/screens/inbox/composer-views.ts';
import { type ConversationColumns, LONG_AGO, makeConversation } from '#test/fixtures/conversations.ts';
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

type Forwarded = ConversationColumns & {
  workspace?: Parameters<typeof makeTeammates>[0];
  role?: Role;
  isConnected?: boolean;
  isMerged?: boolean;
  offered: ComposerView['resend'];
};

const UNVERIFIED = { verified: false };
const NONE = { reply: 'none', forward: 'none' } as const;
const FORWARD = { reply: 'none', forward: 'all' } as const;

/** Conversations in which a forward failed, and which messages can be sent again in them. */
const FORWARDED: [string, Forwarded][] = [
  ['an email conversation', { offered: { reply: 'all', forward: 'all' } }],
  ['one whose contact has no address', { contactId: null, offered: FORWARD }],
  ['one without a verified domain', { workspace: UNVERIFIED, offered: NONE }],
  ['one on Starter', { workspace: { plan: 'starter' }, offered: NONE }],
  [
    'a WhatsApp conversation outside its window',
    { channel: 'whatsapp', isConnected: true, offered: { reply: 'template', forward: 'all' } },
  ],
  ['one of a disconnected account', { channel: 'whatsapp', offered: FORWARD }],
  [
    'a web chat without a verified domain',
    { channel: 'webchat', workspace: UNVERIFIED, offered: { reply: 'all', forward: 'none' } },
  ],
  ['one that a viewer reads', { role: 'viewer', offered: NONE }],
  ['spam', { removal: 'spam', removedAt: LONG_AGO, offered: NONE }],
  ['one that was merged', { isMerged: true, offered: NONE }],
];

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

  test.for(FORWARDED)(
    'is offered for a failed forward in %s exactly if it is accepted',
    async ([, input]) => {
      const { workspace, role = 'agent', isConnected, isMerged, offered, ...columns } = input;
      const teammates = await makeTeammates(workspace);
      const { workspaceId, owner } = teammates;
      const stage = { workspaceId, teammate: owner };
      const conversationId = await makeConversation(stage, columns);
      const account = { externalId: workspaceId, name: 'Acme', credentials: Buffer.from('x') };
      if (isConnected)
        await db().channelAccount.create({ data: { workspaceId, channel: 'whatsapp', ...account } });
      const message = { workspaceId, conversationId, content: 'Hi', createdAt: LONG_AGO };
      await db().message.create({ data: { ...message, direction: 'inbound', authorKind: 'contact' } });
      const forward = { direction: 'forward', authorKind: 'automatic', sendStatus: 'failed' } as const;
      const { id: messageId } = await db().message.create({ data: { ...message, ...forward } });
      if (isMerged) await mergeAs(stage, conversationId, await makeConversation(stage));

      const { conversations, composer } = await (await signInTeammate(teammates[role]))();
      const resend = (await conversations.get({ id: conversationId }))?.composer.resend;
      expect(resend).toEqual(offered);
      const accepted = await composer.resend({ conversationId, messageId }).then(
        () => 'all',
        () => 'none',
      );
      expect(resend?.forward).toBe(accepted);
    },
  );
});

const sendJobs = async () => (await queuedJobs()).filter(({ task }) => task === 'send-message');
