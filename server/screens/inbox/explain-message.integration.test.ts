import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import type { Hook } from '#server/generated/prisma/client.ts';
import type { DeliveryOutcome } from '#server/generated/prisma/enums.ts';
import { answerContact } from '#server/inbox/ai-agent/answer-contact.ts';
import { exampleAgent } from '#server/inbox/ai-agent/example-agent.ts';
import { assignWaiting } from '#server/inbox/conversations/assign-waiting.ts';
import { notifyOfNewConversations } from '#server/inbox/conversations/notify-of-new-conversations.ts';
import { recordStatus } from '#server/inbox/messages/record-status.ts';
import { makeHook } from '#test/fixtures/deliveries.ts';
import { connect } from '#test/fixtures/factories.ts';
import { incoming, receiveMessage } from '#test/fixtures/incoming.ts';
import { test as mailTest } from '#test/fixtures/received-mail-test.ts';
import { makeTeammates, signInTeammate } from '#test/fixtures/teammates.ts';
import { rawMail } from '#test/servers/inbound-mail.ts';

const test = mailTest.extend('explain', ({ teammates }) => async (messageId: string) => {
  const screens = await (await signInTeammate(teammates.agent))();
  return screens.conversations.explain({ messageId });
});

test('a verified mail says how it arrived, that it started its conversation, and its events, in order', async ({
  inbox,
  explain,
}) => {
  const { id, createdAt } = await inbox.first();
  const steps = await explain(id);
  expect(steps.map(({ sentence }) => sentence)).toEqual([
    'Arrived by email from ada@acme.test.',
    'Its sender was verified: SPF, DKIM or DMARC of the domain passed.',
    'SPF passed: acme.test lists the server that sent it. DKIM: it is not signed. DMARC passed for acme.test, whose policy is “reject”.',
    'It started this conversation because it answers no earlier email.',
    expect.stringMatching(/^Ada.* started this conversation\.$/),
    'Recorded the event “New Conversation”, which is being handed to workflows.',
    'Recorded the event “New Customer Message”, which is being handed to workflows.',
    'It notified no teammate.',
  ]);
  expect(steps[0]).toMatchObject({ at: createdAt, tone: 'plain' });
});

test('an answer says what led it to its conversation, what it changed, and whom it notified', async ({
  inbox,
  mailbox,
  mail,
  explain,
}) => {
  const { conversationId } = await inbox.first();
  await inbox.reply(conversationId);
  const { agent } = mailbox;
  await db().conversation.update({
    where: { id: conversationId },
    data: { status: 'solved', resolvedAt: new Date(), assigneeId: agent.id },
  });
  await inbox.bring(
    rawMail({ 'Message-ID': '<2@acme.test>', 'In-Reply-To': mail.received[0]?.email.messageId ?? '' }),
  );
  const answer = await inbox.newest();
  expect(answer).toMatchObject({ conversationId, threadReason: 'answers' });
  const sentences = (await explain(answer?.id ?? '')).map(({ sentence }) => sentence);
  expect(sentences).toContain('It is in this conversation because it answers a message here.');
  expect(sentences).toContainEqual(expect.stringMatching(/^Reopened because .* wrote\.$/));
  expect(sentences).toContain(`Notified ${agent.name}: the conversation is assigned to them.`);
  expect(sentences).not.toContain('It notified no teammate.');
});

test('an answer to an assignee who is away says to whom its conversation was assigned, and why', async ({
  inbox,
  mailbox: { workspaceId, agent },
  teammates: { admin },
  mail,
  explain,
}) => {
  const { conversationId } = await inbox.first();
  await inbox.reply(conversationId);
  const members = { create: [{ userId: agent.id }, { userId: admin.id }] };
  const data = { workspaceId, name: 'Support', assignment: 'round_robin' as const, members };
  const { id: teamId } = await db().team.create({ data });
  await db().conversation.update({ where: { id: conversationId }, data: { teamId, assigneeId: agent.id } });
  await db().member.updateMany({
    where: { workspaceId, userId: agent.id },
    data: { awaySince: new Date() },
  });
  await inbox.bring(
    rawMail({ 'Message-ID': '<3@acme.test>', 'In-Reply-To': mail.received[0]?.email.messageId ?? '' }),
  );
  await assignWaiting(teamId);
  const steps = await explain((await inbox.newest())?.id ?? '');
  expect(steps.at(-1)?.sentence).toBe(
    `Assigned to ${admin.name}, whose turn it was in Support, because ${agent.name} is away.`,
  );
});

test('a mail that starts a conversation although it answers one says why', async ({ inbox, explain }) => {
  const first = await inbox.first();
  const reference = first.mailReferences[0]?.messageIdHeader ?? '';
  const bring = async (n: number, headers: Record<string, string>, from: string) => {
    await inbox.bring(rawMail({ 'Message-ID': `<${n}@x.test>`, From: from, ...headers }), { from });
    const newest = await inbox.newest();
    expect(newest?.conversationId).not.toBe(first.conversationId);
    return (await explain(newest?.id ?? '')).map(({ sentence }) => sentence);
  };
  expect(await bring(1, { 'In-Reply-To': '<nothing@x.test>' }, 'ada@acme.test')).toContain(
    'It started this conversation because the emails that it answers are not in this workspace.',
  );
  expect(await bring(2, { 'In-Reply-To': reference }, 'tom@acme.test')).toContain(
    'It answers another conversation, but started this one because its sender takes no part in that one.',
  );
  const forged = await bring(3, { 'In-Reply-To': reference }, 'chief@bank.test');
  expect(forged).toContain('Its sender failed the check of SPF, DKIM and DMARC.');
  expect(forged).toContainEqual(
    expect.stringMatching(/^SPF failed: bank\.test .* DMARC failed for bank\.test/),
  );
  expect(forged).toContain(
    'It answers another conversation, but started this one because its sender could not be believed.',
  );
  await db().conversation.update({ where: { id: first.conversationId }, data: { status: 'closed' } });
  expect(await bring(4, { 'In-Reply-To': reference }, 'ada@acme.test')).toContain(
    'It answers a conversation that is closed or deleted, so it started this one.',
  );
});

test('a message that the AI agent was asked about says whether it answered, or why not', async ({
  inbox,
  mailbox: { workspaceId },
  explain,
}) => {
  await db().workspace.update({ where: { id: workspaceId }, data: { aiAgentEnabled: true } });
  const answer = { question: 'Opening hours?', answer: 'From 9 to 5.' };
  await db().savedAnswer.create({ data: { workspaceId, ...answer } });
  const ask = async (n: number, text: string, headers: Record<string, string> = {}) => {
    await inbox.bring(rawMail({ 'Message-ID': `<${n}@acme.test>`, Subject: text, ...headers }, text));
    return (await inbox.newest())?.id ?? '';
  };
  const sentences = async (id: string) => (await explain(id)).map(({ sentence }) => sentence);

  const question = await ask(1, answer.question);
  expect(await sentences(question)).not.toContainEqual(expect.stringContaining('AI agent'));
  await answerContact(exampleAgent, { messageId: question });
  expect(await sentences(question)).toContain('The AI agent answered it.');
  // A job that runs again finds its own answer.
  await answerContact(exampleAgent, { messageId: question });
  expect(await sentences(question)).toContain('The AI agent answered it.');

  const unknown = await ask(2, 'My parcel is wet');
  await answerContact(exampleAgent, { messageId: unknown });
  expect(await sentences(unknown)).toContain('The AI agent did not answer it: it had no answer.');

  const broken = { answer: () => Promise.reject(new Error('out of order')) };
  await expect(answerContact(broken, { messageId: unknown })).rejects.toThrow('out of order');
  expect(await sentences(unknown)).toContain('The AI agent did not answer it: it failed or took too long.');

  const machine = await ask(3, answer.question, { 'X-Auto-Response-Suppress': 'All' });
  await answerContact(exampleAgent, { messageId: machine });
  expect(await sentences(machine)).toContain(
    'The AI agent did not answer it: the headers forbid automatic answers.',
  );
});

test('a message that the AI agent left to the team says whom it notified, and the question before does not', async ({
  mailbox: { workspaceId },
  teammates: { agent },
  explain,
}) => {
  await db().workspace.update({ where: { id: workspaceId }, data: { aiAgentEnabled: true } });
  const answer = { question: 'Opening hours?', answer: 'From 9 to 5.' };
  await db().savedAnswer.create({ data: { workspaceId, ...answer } });
  const ask = async (conversationId: string | null, content: string) => {
    const received = await receiveMessage(...incoming(workspaceId, { conversationId, content }));
    await answerContact(exampleAgent, received);
    await notifyOfNewConversations(workspaceId);
    return received;
  };
  const question = await ask(null, answer.question);
  const left = await ask(question.conversationId, 'A person, please.');
  const notified = `Notified ${agent.name}: nobody was assigned to the conversation.`;
  const sentences = async (id: string) => (await explain(id)).map(({ sentence }) => sentence);
  expect(await sentences(left.messageId)).toContain(notified);
  expect(await sentences(left.messageId)).not.toContain('It notified no teammate.');
  expect(await sentences(question.messageId)).toContain('It notified no teammate.');
});

test('a message whose answer by the AI agent could not be delivered says whom the service then notified', async ({
  mailbox: { workspaceId },
  teammates: { agent },
  explain,
}) => {
  await db().workspace.update({ where: { id: workspaceId }, data: { aiAgentEnabled: true } });
  const answer = { question: 'Opening hours?', answer: 'From 9 to 5.' };
  await db().savedAnswer.create({ data: { workspaceId, ...answer } });
  const question = await receiveMessage(...incoming(workspaceId, { content: answer.question }));
  await answerContact(exampleAgent, question);
  const where = { conversationId: question.conversationId, authorKind: 'ai_agent' } as const;
  await db().message.updateMany({ where, data: { sendStatus: 'sent', externalId: 'wamid.answer' } });
  const report = { workspaceId, channelAccountId: null, providerId: 'wamid.answer', reason: null };
  await recordStatus({ ...report, status: 'failed' });
  await notifyOfNewConversations(workspaceId);
  expect((await explain(question.messageId)).map(({ sentence }) => sentence)).toContain(
    `Notified ${agent.name}: nobody was assigned to the conversation.`,
  );
});

test('each receiver’s answer follows the event, also while it is retried', async ({
  inbox,
  mailbox: { workspaceId },
  teammates: { owner },
  explain,
}) => {
  const connection = await connect(workspaceId, owner);
  const hook = await makeHook({ ...connection, workspaceId }, { event: 'message.received' });
  const { id } = await inbox.first();
  const event = await db().event.findFirstOrThrow({ where: { workspaceId, key: 'message.received' } });
  await db().eventToFanOut.deleteMany({ where: { eventId: event.id } });
  const silent = (await explain(id)).map(({ sentence }) => sentence);
  expect(silent).toContain(
    'Recorded the event “New Customer Message”, which no workflow or webhook listens to.',
  );

  const program = await db().hook.create({
    data: { workspaceId, event: '*', targetUrl: 'https://orders.test/inbox' },
  });
  await deliver(hook, event.id, { outcome: 'delivered', statusCode: 200, last: 'delivered' });
  await deliver(program, event.id, { outcome: null, statusCode: 500, last: 'failed' });
  const steps = await explain(id);
  expect(steps.find(({ tone }) => tone === 'good')?.sentence).toMatch(
    / accepted “New Customer Message” \(200\)\.$/,
  );
  expect(steps.find(({ tone }) => tone === 'waiting')).toMatchObject({
    sentence: 'orders.test did not accept “New Customer Message” yet: server error (500).',
    until: expect.any(Date),
  });
});

test('a reply says who wrote it and how it was sent, and a failed one why not', async ({
  inbox,
  mailbox: { agent },
  explain,
}) => {
  const { conversationId } = await inbox.first();
  await inbox.reply(conversationId);
  const reply = await inbox.newest();
  const sentences = async () => (await explain(reply?.id ?? '')).map(({ sentence }) => sentence);
  expect(await sentences()).toContain(`Written by ${agent.name}, to be sent by email.`);
  expect(await sentences()).toContain('The channel accepted it, and reported no failure since.');
  await db().message.update({
    where: { id: reply?.id ?? '' },
    data: { sendStatus: 'failed', deliveryError: 'The mailbox is full.', deferrals: 2 },
  });
  expect(await sentences()).toContain('The receiving server put it off 2 times.');
  expect(await sentences()).toContain('Not delivered. The mailbox is full.');
});

test('nothing is said about messages of other workspaces, of deleted conversations, or unknown ones', async ({
  inbox,
  explain,
}) => {
  const { id, conversationId } = await inbox.first();
  const stranger = await (await signInTeammate((await makeTeammates()).owner))();
  expect(await stranger.conversations.explain({ messageId: id })).toEqual([]);
  expect(await explain(randomUUID())).toEqual([]);
  expect(await explain('not an id')).toEqual([]);
  await db().conversation.update({
    where: { id: conversationId },
    data: { removal: 'deleted', removedAt: new Date() },
  });
  expect(await explain(id)).toEqual([]);
});

async function deliver(
  { id: hookId, workspaceId }: Pick<Hook, 'id' | 'workspaceId'>,
  eventId: string,
  {
    outcome,
    statusCode,
    last,
  }: { outcome: DeliveryOutcome | null; statusCode: number; last: 'delivered' | 'failed' },
) {
  const attempt = { number: 1, outcome: last, statusCode, startedAt: new Date(), durationMs: 25 };
  const ended = { outcome, endedAt: outcome ? new Date() : null };
  const nextAttemptAt = outcome ? null : new Date(Date.now() + 60_000);
  const data = { workspaceId, eventId, hookId, attempts: 1, nextAttemptAt, ...ended };
  await db().delivery.create({ data: { ...data, attemptList: { create: [attempt] } } });
}
