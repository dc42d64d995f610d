import { describe, expect } from 'vitest';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { queueJob } from '#server/core/jobs/outbox.ts';
import type { AiAgent } from '#server/inbox/ai-agent/ai-agent.ts';
import { answerContact } from '#server/inbox/ai-agent/answer-contact.ts';
import { exampleAgent } from '#server/inbox/ai-agent/example-agent.ts';
import { setSilenced } from '#server/inbox/ai-agent/set-silenced.ts';
import { updateConversation } from '#server/inbox/conversations/update-conversation.ts';
import { sendReply } from '#server/inbox/messages/send-reply.ts';
import { recordedEventsOf } from '#test/database/recorded-events.ts';
import { answerAndSend } from '#test/fixtures/answer-and-send.ts';
import { type Stage, timelineOf } from '#test/fixtures/conversations.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { incoming, receiveMessage } from '#test/fixtures/incoming.ts';
import { forgetJobs, queuedJobs } from '#test/fixtures/queued-jobs.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';
import { until } from '#test/fixtures/until.ts';
import { withWorker } from '#test/fixtures/with-worker.ts';

/** `test` with a workspace whose AI agent is on and has two answers, and no jobs in the queue. */
const test = serviceTest.extend('workspace', ({ connection }) => makeWorkspaceWithAgent(connection));

describe('the AI agent', () => {
  test('answers a contact’s message from a job, sets the status, and the first response clock keeps running', async ({
    workspace,
  }) => {
    const { workspaceId, write } = workspace;
    await db().workspace.update({ where: { id: workspaceId }, data: { slaFirstResponseMinutes: 30 } });
    const { conversationId, messageId } = await write();
    expect(await queuedJobs()).toContainEqual({ task: 'answer-contact', payload: { messageId } });
    const [answer] = await withWorker(() =>
      until('the agent has answered', async () => {
        const answers = await answersIn(conversationId);
        return answers.length > 0 && answers;
      }),
    );
    expect(answer).toMatchObject({
      content: 'On its way.',
      direction: 'outbound',
      authorId: null,
      authorName: 'AI agent',
      sendStatus: null,
    });
    expect(await conversationOf(conversationId)).toMatchObject({
      status: 'pending',
      assigneeId: null,
      aiAgentSilenced: false,
      waitingSince: null,
    });
    expect((await timelineOf(conversationId)).at(-1)).toEqual({
      kind: 'status_changed',
      actorKind: 'ai_agent',
      data: { from: 'open', to: 'pending' },
    });
    const clock = await db().slaClock.findFirstOrThrow({ where: { conversationId } });
    expect(clock).toMatchObject({ kind: 'first_response', stoppedAt: null });
    const events = await recordedEventsOf(workspaceId, 'conversation.status_changed');
    expect(events.at(-1)).toMatchObject({
      previous_status: 'open',
      conversation: { id: conversationId, status: 'pending' },
    });
    await db().workspace.update({ where: { id: workspaceId }, data: { slaFirstResponseMinutes: null } });
  });

  test('answers once, even if its job runs several times concurrently', async ({ workspace }) => {
    const { write } = workspace;
    const { conversationId, messageId } = await write({ content: 'What are your opening hours?' });
    const outcomes = await Promise.all(
      Array.from({ length: 4 }, () => answerContact(exampleAgent, { messageId })),
    );
    expect(outcomes.toSorted()).toEqual(['answered', 'silent', 'silent', 'silent']);
    expect(await answerContact(exampleAgent, { messageId })).toBe('silent');
    expect(await answersIn(conversationId)).toHaveLength(1);
    expect((await conversationOf(conversationId)).status).toBe('solved');
  });

  test('answers the contact’s next message after the conversation was reopened', async ({ workspace }) => {
    const { write } = workspace;
    const { conversationId, messageId } = await write();
    await answerContact(exampleAgent, { messageId });
    const next = await write({ conversationId, content: 'And the opening hours?' });
    expect(await answerContact(exampleAgent, next)).toBe('answered');
    expect(await answersIn(conversationId)).toHaveLength(2);
    expect((await conversationOf(conversationId)).status).toBe('solved');
  });

  test.for([
    ['a teammate replies', 'reply'],
    ['the contact writes again', 'write'],
    ['a flow silences it', 'silence'],
    ['it is switched off', 'switch off'],
    ['a teammate solves the conversation', 'solve'],
    ['a teammate’s reply is scheduled', 'hold'],
    ['the conversation is merged', 'merge'],
  ])('does not answer if, while it thinks, %s', async ([_what, kind], { workspace }) => {
    const { workspaceId, teammate, actor, write } = workspace;
    const { conversationId: id, messageId } = await write();
    const gate = Promise.withResolvers<void>();
    const called = Promise.withResolvers<void>();
    const answering = answerContact(slowAgent(gate.promise, called.resolve), { messageId });
    await called.promise;
    const enable = (aiAgentEnabled: boolean) =>
      db().workspace.update({ where: { id: workspaceId }, data: { aiAgentEnabled } });
    if (kind === 'reply') await sendReply({ workspaceId, id, actor, content: 'Let me look.' });
    if (kind === 'write') await write({ conversationId: id, content: 'Never mind' });
    if (kind === 'silence') await setSilenced({ workspaceId, id, actor, silenced: true });
    if (kind === 'switch off') await enable(false);
    if (kind === 'solve') await updateConversation({ workspaceId, id, actor, changes: { status: 'solved' } });
    if (kind === 'hold') {
      const sendAt = new Date(Date.now() + 5_000);
      const data = { workspaceId, conversationId: id, authorId: teammate.id, content: 'Hello', sendAt };
      await db().pendingReply.create({ data });
    }
    if (kind === 'merge') {
      const { conversationId: mergedIntoId } = await write();
      await db().conversation.update({ where: { id }, data: { mergedIntoId } });
    }
    gate.resolve();
    expect(await answering).toBe('silent');
    expect(await answersIn(id)).toEqual([]);
    await enable(true);
  });

  test('answers although a teammate has scheduled a reply for later, which then waits for its author', async ({
    workspace,
  }) => {
    const { workspaceId, teammate, write } = workspace;
    const { conversationId, messageId } = await write();
    const sendAt = new Date(Date.now() + 3_600_000);
    await db().pendingReply.create({
      data: {
        workspaceId,
        conversationId,
        authorId: teammate.id,
        content: 'Later',
        sendAt,
        sendsLater: true,
      },
    });
    expect(
      await answerContact(
        slowAgent(Promise.resolve(), () => {}),
        { messageId },
      ),
    ).not.toBe('silent');
    expect(await answersIn(conversationId)).toHaveLength(1);
  });

  test('never answers after a concurrent reply of a teammate', async ({ workspace }) => {
    const { workspaceId, actor, write } = workspace;
    const raced = await Promise.all(Array.from({ length: 6 }, () => write()));
    await Promise.all(
      raced.flatMap(({ conversationId: id, messageId }) => [
        answerContact(exampleAgent, { messageId }),
        sendReply({ workspaceId, id, actor, content: 'Hello' }),
      ]),
    );
    for (const { conversationId } of raced) {
      const written = await db().message.findMany({
        where: { conversationId },
        orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      });
      expect(['contact teammate', 'contact ai_agent teammate']).toContain(
        written.map(({ authorKind }) => authorKind).join(' '),
      );
    }
  });

  test('gets no job if it is off or silenced, or a teammate has replied', async ({ workspace }) => {
    const other = await makeConnection();
    await receiveMessage(...incoming(other.workspaceId));
    const { workspaceId, actor, write } = workspace;
    const { conversationId } = await write();
    await forgetJobs();
    await sendReply({ workspaceId, id: conversationId, actor, content: 'Hello' });
    await write({ conversationId });
    const jobs = (await queuedJobs()).map(({ task }) => task);
    expect(jobs).not.toContain('answer-contact');
    await setSilenced({ workspaceId, id: conversationId, actor, silenced: false });
    await write({ conversationId });
    expect((await queuedJobs()).map(({ task }) => task)).toContain('answer-contact');
  });

  test('does not answer email that could not be sent, or messages that waited too long', async ({
    workspace,
  }) => {
    const { write } = workspace;
    const held = await makeConnection({ plan: 'starter' });
    const { workspaceId } = held;
    await db().workspace.update({ where: { id: workspaceId }, data: { aiAgentEnabled: true } });
    await db().savedAnswer.create({ data: { workspaceId, question: 'Where is my order?', answer: 'Here' } });
    const question = await receiveMessage(...incoming(workspaceId, { channel: 'email' }));
    expect(await answerContact(exampleAgent, question)).toBe('silent');
    expect((await conversationOf(question.conversationId)).status).toBe('open');

    const { messageId } = await write();
    const createdAt = new Date(Date.now() - 16 * 60_000);
    await db().message.update({ where: { id: messageId }, data: { createdAt } });
    expect(await answerContact(exampleAgent, { messageId })).toBe('silent');
  });

  test('is not told what somebody else wrote by email, which the contact may not have received', async ({
    workspace,
  }) => {
    const { write } = workspace;
    const { conversationId, messageId: others } = await write({ channel: 'email', content: 'It is lost.' });
    await db().message.update({ where: { id: others }, data: { authorName: 'Bob Carrier' } });
    const { messageId } = await write({ channel: 'email', conversationId });
    const told: string[] = [];
    const curious: AiAgent = {
      answer: async ({ messages }) => {
        told.push(...messages.map(({ content }) => content));
        return { kind: 'silent' };
      },
    };
    await answerContact(curious, { messageId });
    expect(told).toEqual(['Where is my order?']);
  });

  test('leaves a conversation open if its answer could not be sent', async ({ workspace }) => {
    const { write } = workspace;
    const { conversationId, messageId } = await write({ channel: 'telegram' });
    expect(await answerAndSend(messageId)).toBe('answered');
    expect(await answersIn(conversationId)).toMatchObject([{ sendStatus: 'failed' }]);
    expect((await conversationOf(conversationId)).status).toBe('open');
    expect((await timelineOf(conversationId)).slice(-2)).toMatchObject([
      { actorKind: 'ai_agent', data: { to: 'pending' } },
      { actorKind: 'automatic', data: { to: 'open' } },
    ]);
  });

  test.for([
    ['telegram', 'send-chat-message'],
    ['email', 'send-message'],
  ] as const)(
    'leaves its answer by %s to a job of its own, which sends it even if this worker dies',
    async ([channel, task], { workspace }) => {
      const { write } = workspace;
      const { conversationId, messageId } = await write({ channel });
      await forgetJobs();
      expect(await answerContact(exampleAgent, { messageId })).toBe('answered');
      const [answer] = await answersIn(conversationId);
      expect(answer).toMatchObject({ sendStatus: 'queued' });
      expect(await queuedJobs()).toContainEqual({ task, payload: { messageId: answer?.id } });
    },
  );

  test('is retried after a failure or timeout, without partial changes', async ({ workspace }) => {
    const { write } = workspace;
    const { conversationId, messageId } = await write();
    const broken: AiAgent = { answer: () => Promise.reject(new Error('No thoughts')) };
    await expect(answerContact(broken, { messageId })).rejects.toThrow('No thoughts');
    const endless: AiAgent = { answer: () => new Promise(() => {}) };
    await expect(answerContact(endless, { messageId, thinkingMs: 20 })).rejects.toThrow(/timeout/);
    expect(await answerContact(exampleAgent, { messageId })).toBe('answered');
    expect(await answersIn(conversationId)).toHaveLength(1);
  });

  test('a test conversation expires with its contact, other conversations never do', async ({
    workspace,
  }) => {
    const { write } = workspace;
    await forgetJobs();
    const { conversationId, contactId } = await write({ isTest: true });
    const real = await write();
    expect(await queuedJobs()).toContainEqual({
      task: 'remove-test-conversation',
      payload: { conversationId },
    });
    await forgetJobs();
    await withWorker(async () => {
      for (const id of [conversationId, real.conversationId]) {
        await inTransaction((tx) => queueJob(tx, 'remove-test-conversation', { conversationId: id }));
      }
      await until('the test conversation is removed', async () => {
        const left = await db().conversation.count({ where: { id: conversationId } });
        return left === 0 && (await queuedJobs()).length === 0;
      });
    });
    expect(await db().contact.count({ where: { id: contactId ?? '' } })).toBe(0);
    expect(await db().conversation.count({ where: { id: real.conversationId } })).toBe(1);
  });
});

async function makeWorkspaceWithAgent({ workspaceId, teammate }: Stage) {
  await db().workspace.update({ where: { id: workspaceId }, data: { aiAgentEnabled: true } });
  await db().savedAnswer.createMany({
    data: [
      { workspaceId, question: 'Where is my order?', answer: 'On its way.' },
      { workspaceId, question: 'Opening hours?', answer: 'From nine to five.', nextStatus: 'solved' },
    ],
  });
  await forgetJobs();
  return {
    workspaceId,
    teammate,
    actor: { kind: 'teammate' as const, teammate },
    /** Receives a contact's message. */
    write: (fields: Parameters<typeof incoming>[1] = {}) => receiveMessage(...incoming(workspaceId, fields)),
  };
}

const conversationOf = (id: string) => db().conversation.findUniqueOrThrow({ where: { id } });

const answersIn = (conversationId: string) =>
  db().message.findMany({ where: { conversationId, authorKind: 'ai_agent' } });

const slowAgent = (gate: Promise<void>, onCall: () => void): AiAgent => ({
  answer: async (question, signal) => {
    onCall();
    await gate;
    return exampleAgent.answer(question, signal);
  },
});
