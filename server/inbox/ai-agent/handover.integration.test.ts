import { expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { answerContact } from '#server/inbox/ai-agent/answer-contact.ts';
import { exampleAgent } from '#server/inbox/ai-agent/example-agent.ts';
import { notifyOfNewConversations } from '#server/inbox/conversations/notify-of-new-conversations.ts';
import { recordStatus } from '#server/inbox/messages/record-status.ts';
import { sendReply } from '#server/inbox/messages/send-reply.ts';
import { incoming, receiveMessage } from '#test/fixtures/incoming.ts';
import { forgetJobs, queuedJobs } from '#test/fixtures/queued-jobs.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';

/** `test` with `answered`: a conversation of another week whose only question the AI agent has answered. */
const test = serviceTest.extend('answered', async ({ connection: { workspaceId } }) => {
  await db().workspace.update({ where: { id: workspaceId }, data: { aiAgentEnabled: true } });
  const data = { workspaceId, question: 'Opening hours?', answer: 'From nine to five.' };
  await db().savedAnswer.create({ data });
  const { conversationId, messageId } = await receiveMessage(
    ...incoming(workspaceId, { content: 'Opening hours?' }),
  );
  expect(await answerContact(exampleAgent, { messageId })).toBe('answered');
  const createdAt = new Date(Date.now() - 7 * 86_400_000);
  await db().conversation.update({ where: { id: conversationId }, data: { createdAt } });
  await forgetJobs();
  return { workspaceId, conversationId };
});

/** Runs the job that notifies of new conversations if it is queued. Returns the number of its notifications. */
async function countNotified(workspaceId: string): Promise<number> {
  const isQueued = (await queuedJobs()).some(({ task }) => task === 'notify-of-new-conversations');
  if (isQueued) await notifyOfNewConversations(workspaceId);
  return db().notification.count({ where: { workspaceId, kind: 'new_conversation' } });
}

test('a contact who asks what the AI agent does not know is noticed, although it answered them before', async ({
  answered: { workspaceId, conversationId },
}) => {
  expect(await countNotified(workspaceId)).toBe(0);
  const next = await receiveMessage(
    ...incoming(workspaceId, { conversationId, content: 'A person, please.' }),
  );
  expect(await answerContact(exampleAgent, next)).toBe('silent');
  expect(await countNotified(workspaceId)).toBe(1);
  const [notification] = await db().notification.findMany({ where: { workspaceId } });
  expect(notification?.data).toEqual({ more: 0, isNew: false });
});

test('a contact to whom the answer of the AI agent could not be delivered is noticed', async ({
  answered: { workspaceId, conversationId },
}) => {
  const where = { conversationId, authorKind: 'ai_agent' } as const;
  await db().message.updateMany({ where, data: { sendStatus: 'sent', externalId: 'wamid.answer' } });
  const report = { workspaceId, channelAccountId: null, providerId: 'wamid.answer', reason: null };
  await recordStatus({ ...report, status: 'failed' });
  expect(await countNotified(workspaceId)).toBe(1);
});

test('a contact is noticed although the answer of the AI agent came back only hours after their question', async ({
  answered: { workspaceId, conversationId },
}) => {
  const createdAt = new Date(Date.now() - 3 * 3_600_000);
  await db().message.updateMany({ where: { conversationId, direction: 'inbound' }, data: { createdAt } });
  await db().message.updateMany({
    where: { conversationId, authorKind: 'ai_agent' },
    data: { createdAt: new Date(createdAt.getTime() + 1_000), sendStatus: 'sent', externalId: 'wamid.late' },
  });
  const report = { workspaceId, channelAccountId: null, providerId: 'wamid.late', reason: null };
  await recordStatus({ ...report, status: 'failed' });
  expect(await countNotified(workspaceId)).toBe(1);
});

test('a contact is noticed each time that they wait for the team, not only the first time', async ({
  answered: { workspaceId, conversationId },
}) => {
  const ask = (content: string) => receiveMessage(...incoming(workspaceId, { conversationId, content }));
  expect(await answerContact(exampleAgent, await ask('A person, please.'))).toBe('silent');
  expect(await countNotified(workspaceId)).toBe(1);
  expect(await answerContact(exampleAgent, await ask('Hello?'))).toBe('silent');
  expect(await countNotified(workspaceId)).toBe(1);
  await db().savedAnswer.create({ data: { workspaceId, question: 'Where are you?', answer: 'In Leeds.' } });
  expect(await answerContact(exampleAgent, await ask('Where are you?'))).toBe('answered');
  expect(await db().notification.count({ where: { workspaceId, readAt: null } })).toBe(0);
  expect(await answerContact(exampleAgent, await ask('I still need a person.'))).toBe('silent');
  expect(await countNotified(workspaceId)).toBe(2);
});

test('a contact whom a teammate answered after the AI agent is not announced as new', async ({
  answered: { workspaceId, conversationId },
  connection: { teammate },
}) => {
  const actor = { kind: 'teammate', teammate } as const;
  await sendReply({ workspaceId, id: conversationId, actor, content: 'Also on Sundays.' });
  await db().conversation.update({
    where: { id: conversationId },
    data: { assigneeId: null, assignedAt: null },
  });
  await receiveMessage(...incoming(workspaceId, { conversationId }));
  await notifyOfNewConversations(workspaceId);
  expect(await countNotified(workspaceId)).toBe(0);
});
