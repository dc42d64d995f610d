import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { answerContact } from '#server/inbox/ai-agent/answer-contact.ts';
import { exampleAgent } from '#server/inbox/ai-agent/example-agent.ts';
import { recordOutcome } from '#server/inbox/messages/record-outcome.ts';
import { recordStatus } from '#server/inbox/messages/record-status.ts';
import { failBrokenOff } from '#server/inbox/messages/send-queued-message.ts';
import { sendReply } from '#server/inbox/messages/send-reply.ts';
import { recordedEventsOf } from '#test/database/recorded-events.ts';
import { timelineOf } from '#test/fixtures/conversations.ts';
import { incoming, receiveMessage } from '#test/fixtures/incoming.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';
import { storedConversation, storedMessage } from '#test/fixtures/stored-rows.ts';

/** `test` with `answered`: two questions of a contact that the AI agent has answered, which solved their conversation. */
const test = serviceTest.extend('answered', async ({ connection: { workspaceId } }) => {
  await db().workspace.update({ where: { id: workspaceId }, data: { aiAgentEnabled: true } });
  const data = {
    workspaceId,
    question: QUESTION,
    answer: 'From nine to five.',
    nextStatus: 'solved',
  } as const;
  await db().savedAnswer.create({ data });
  const first = await receiveMessage(...incoming(workspaceId, { content: 'Hello' }));
  const { conversationId } = first;
  const { messageId } = await receiveMessage(...incoming(workspaceId, { conversationId, content: QUESTION }));
  expect(await answerContact(exampleAgent, { messageId })).toBe('answered');
  expect(await storedConversation(conversationId)).toMatchObject({ status: 'solved', waitingSince: null });
  const answer = await db().message.findFirstOrThrow({ where: { conversationId, authorKind: 'ai_agent' } });
  const { createdAt: askedAt } = await storedMessage(first.messageId);
  return { workspaceId, conversationId, id: answer.id, askedAt };
});

const QUESTION = 'Opening hours?';

type Answered = { workspaceId: string; id: string };

/** Ways in which a saved answer fails later. */
const FAILURES: [string, (answer: Answered) => Promise<unknown>][] = [
  [
    'its worker died',
    async ({ id }) => {
      await setSending(id, { sendStartedAt: new Date(Date.now() - 61_000) });
      await Promise.all([failBrokenOff(), failBrokenOff()]);
    },
  ],
  [
    'the last attempt was refused',
    async ({ id }) => {
      await setSending(id, { deferrals: settings().MAIL_RETRY_DELAYS.length });
      await recordOutcome(id, { status: 'deferred', reason: 'Refused.' });
    },
  ],
  ['its provider reports a failure', reportFailed],
];

describe('a conversation that the AI agent solved reopens, and the contact is waiting as before, when its answer fails because', () => {
  test.for(FAILURES)('%s', async ([_why, fail], { answered }) => {
    const { workspaceId, conversationId, id, askedAt } = answered;
    await fail(answered);
    expect(await storedMessage(id)).toMatchObject({ sendStatus: 'failed' });
    expect(await storedConversation(conversationId)).toMatchObject({ status: 'open', waitingSince: askedAt });
    expect((await timelineOf(conversationId)).slice(-2)).toMatchObject([
      { actorKind: 'ai_agent', data: { to: 'solved' } },
      { actorKind: 'automatic', data: { to: 'open' } },
    ]);
    const events = await recordedEventsOf(workspaceId, 'conversation.status_changed');
    expect(events.at(-1)).toMatchObject({ previous_status: 'solved', conversation: { status: 'open' } });
  });
});

describe('after an answer of the AI agent failed, the conversation', () => {
  test('has its target of the first response again, which the answer had ended with the conversation', async ({
    answered,
  }) => {
    const { workspaceId, conversationId } = answered;
    const { statusChangedAt } = await storedConversation(conversationId);
    const at = { startedAt: new Date(Date.now() - 60_000), dueAt: new Date(Date.now() + 3_600_000) };
    const clock = { workspaceId, conversationId, ...at, stoppedAt: statusChangedAt };
    await db().slaClock.create({ data: { ...clock, kind: 'first_response' } });
    await reportFailed(answered);
    const [after] = await db().slaClock.findMany({ where: { conversationId } });
    expect(after).toMatchObject({ stoppedAt: null, breachedAt: null });
  });

  test('reopens although a program wrote in the meantime', async ({ answered }) => {
    const { workspaceId, conversationId } = answered;
    await receiveMessage(...incoming(workspaceId, { conversationId, automatic: true }));
    const request = { workspaceId, conversationId, direction: 'outbound', authorKind: 'automatic' } as const;
    await db().message.create({ data: { ...request, content: 'How did we do?' } });
    await reportFailed(answered);
    expect(await storedConversation(conversationId)).toMatchObject({ status: 'open' });
  });

  test('does not change if a teammate has replied in the meantime', async ({ answered, connection }) => {
    const { workspaceId, conversationId: id } = answered;
    const actor = { kind: 'teammate', teammate: connection.teammate } as const;
    await sendReply({ workspaceId, id, actor, content: 'From ten, actually.' });
    const before = await storedConversation(id);
    await reportFailed(answered);
    expect(await storedConversation(id)).toEqual(before);
  });

  test('stays closed', async ({ answered }) => {
    const { conversationId: id } = answered;
    await db().conversation.update({ where: { id }, data: { status: 'closed' } });
    await reportFailed(answered);
    expect(await storedConversation(id)).toMatchObject({ status: 'closed' });
  });
});

function setSending(id: string, data: { sendStartedAt?: Date; deferrals?: number }) {
  return db().message.update({ where: { id }, data: { sendStatus: 'sending', ...data } });
}

async function reportFailed({ workspaceId, id }: Answered): Promise<void> {
  const providerId = `wamid.${randomUUID()}`;
  await db().message.update({ where: { id }, data: { sendStatus: 'sent', externalId: providerId } });
  const report = { workspaceId, channelAccountId: null, providerId, status: 'failed', reason: null } as const;
  await recordStatus(report);
}
