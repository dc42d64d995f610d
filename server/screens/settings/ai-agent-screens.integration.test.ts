import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import type { SearchLanguage } from '#server/core/search-languages.ts';
import { recordedEvents } from '#test/database/recorded-events.ts';
import { rowsOfWorkspace } from '#test/database/rows-of-workspace.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { FLOW_FORM } from '#test/fixtures/flow-form.ts';
import { test } from '#test/fixtures/screens-test.ts';
import { makeTeammates, signInTeammate } from '#test/fixtures/teammates.ts';

test.for<[SearchLanguage, question: string, message: string]>([
  [
    'german',
    'Wie kann ich meine Rechnung herunterladen?',
    'Hallo! Wo kann ich Rechnungen herunterladen? Danke',
  ],
  ['spanish', '¿Cómo pagar mis facturas?', '¿Dónde pago la factura?'],
  ['english', 'How do I return an order?', 'Hi, how can I return orders?'],
])('in %s the answer to %j is found for %j', async ([searchLanguage, question, content], { screensOf }) => {
  const { aiAgent, workspaces } = await screensOf('admin');
  await workspaces.update({ searchLanguage });
  await aiAgent.addAnswer({ ...ANSWER, question });
  await aiAgent.addAnswer({ ...ANSWER, question: 'Something else', answer: 'Else.' });
  const { answered, messages } = await aiAgent.test({ content, conversationId: null });
  expect({ answered, last: messages.at(-1)?.content }).toEqual({ answered: true, last: ANSWER.answer });
});

describe('saved answers', () => {
  test('are changed by owners and admins, trimmed, and visible to everyone', async ({ screensOf }) => {
    const { aiAgent } = await screensOf('admin');
    const { id } = await aiAgent.addAnswer({ ...ANSWER, question: '  Where is my order?\n' });
    await aiAgent.addAnswer({ question: 'A first one', answer: ' Yes\n\nno ', nextStatus: 'solved' });
    await aiAgent.updateAnswer({ id, ...ANSWER, answer: 'It left.' });
    expect(await (await screensOf('viewer')).aiAgent.get()).toMatchObject({
      enabled: false,
      mayManage: false,
      mayTest: false,
      answers: [
        { question: 'A first one', answer: 'Yes\n\nno', nextStatus: 'solved' },
        { id, question: 'Where is my order?', answer: 'It left.', nextStatus: 'pending' },
      ],
    });
    await aiAgent.deleteAnswer({ id });
    await aiAgent.deleteAnswer({ id });
    expect((await aiAgent.get()).answers.map(({ question }) => question)).toEqual(['A first one']);
    await expect(aiAgent.updateAnswer({ id, ...ANSWER })).rejects.toMatchObject(NOT_FOUND);
  });

  test('are refused with a message at each invalid field', async ({ screensOf }) => {
    const { aiAgent } = await screensOf('owner');
    await expect(aiAgent.addAnswer({ ...ANSWER, question: ' ', answer: '' })).rejects.toMatchObject(
      refusal({
        question: ['The question must not be empty.'],
        answer: ['The answer must not be empty.'],
      }),
    );
    await expect(
      aiAgent.addAnswer({ ...ANSWER, question: '🙂'.repeat(501), answer: 'x'.repeat(4_001) }),
    ).rejects.toMatchObject(
      refusal({
        question: ['The question must be at most 500 characters.'],
        answer: ['The answer must be at most 4,000 characters.'],
      }),
    );
    const longest = { ...ANSWER, question: '🙂'.repeat(500), answer: '🙂'.repeat(4_000) };
    const { id } = await aiAgent.addAnswer(longest);
    await aiAgent.deleteAnswer({ id });
  });

  test('are limited to 500, also by simultaneous requests', async ({ screensOf }) => {
    const full = await makeTeammates();
    const { workspaceId } = full;
    await db().savedAnswer.createMany({
      data: Array.from({ length: 497 }, (_, i) => ({ workspaceId, question: `Q${i}`, answer: 'A' })),
    });
    const { aiAgent } = await screensOf('owner', full);
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => aiAgent.addAnswer(ANSWER)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    await expect(aiAgent.addAnswer(ANSWER)).rejects.toMatchObject(
      refusal({ question: ['A workspace can have up to 500 saved answers. Delete one first.'] }),
    );
  });

  test('of another workspace cannot be seen or changed', async ({ screensOf }) => {
    const strangers = await makeTeammates();
    const foreign = await (await screensOf('owner', strangers)).aiAgent.addAnswer(ANSWER);
    const { aiAgent } = await screensOf('owner');
    const ids = (await aiAgent.get()).answers.map(({ id }) => id);
    expect(ids).not.toContain(foreign.id);
    for (const id of [foreign.id, 'no-uuid']) {
      await expect(aiAgent.updateAnswer({ id, ...ANSWER })).rejects.toMatchObject(NOT_FOUND);
    }
    await aiAgent.deleteAnswer({ id: foreign.id });
    expect(await db().savedAnswer.count({ where: { workspaceId: strangers.workspaceId } })).toBe(1);
  });
});

describe('the switch of the AI agent', () => {
  test('is for owners and admins, and writes audit entries', async ({ teammates, screensOf }) => {
    const { aiAgent } = await screensOf('admin');
    await aiAgent.setEnabled({ enabled: true });
    expect((await aiAgent.get()).enabled).toBe(true);
    await aiAgent.setEnabled({ enabled: false });
    const entries = await db().auditEntry.findMany({
      where: { workspaceId: teammates.workspaceId, kind: 'settings_changed' },
      orderBy: { createdAt: 'asc' },
    });
    expect(entries.map(({ data }) => data)).toEqual([
      { aiAgentEnabled: 'true' },
      { aiAgentEnabled: 'false' },
    ]);
  });

  test('exists per conversation while the agent is on', async ({ teammates, screensOf }) => {
    const { workspaceId, agent: teammate } = teammates;
    const id = await makeConversation({ workspaceId, teammate });
    const { aiAgent, conversations } = await screensOf('agent');
    const state = async (of: string) => (await conversations.get({ id: of }))?.agent;
    expect(await state(id)).toBeNull();
    await (await screensOf('owner')).aiAgent.setEnabled({ enabled: true });
    expect(await state(id)).toEqual({ silenced: false, mayChange: true });
    await aiAgent.setSilenced({ id, silenced: true });
    const seen = await (await screensOf('viewer')).conversations.get({ id });
    expect(seen?.agent).toEqual({ silenced: true, mayChange: false });
    await aiAgent.setSilenced({ id, silenced: true });
    await aiAgent.setSilenced({ id, silenced: false });
    expect(await state(id)).toEqual({ silenced: false, mayChange: true });
    const items = (await conversations.get({ id }))?.conversation.items ?? [];
    const sentences = items.flatMap((item) => (item.kind === 'entry' ? item.sentence : []));
    expect(sentences.slice(-2)).toEqual([
      expect.stringMatching(/^\S.* turned off the AI agent for this conversation$/),
      expect.stringMatching(/^\S.* turned on the AI agent for this conversation again$/),
    ]);
    const foreign = await makeConversation(await makeConnection());
    expect(await conversations.get({ id: foreign })).toBeNull();
    for (const other of [foreign, 'no-uuid']) {
      await expect(aiAgent.setSilenced({ id: other, silenced: true })).rejects.toMatchObject(NOT_FOUND);
    }
  });
});

describe('testing the AI agent', () => {
  test('answers as for a contact even while the agent is off, and the test appears nowhere else', async () => {
    const { workspaceId, teammate } = await makeConnection();
    const { aiAgent, inbox, notifications, contacts } = await (await signInTeammate(teammate))();
    await aiAgent.addAnswer(ANSWER);
    const first = await aiAgent.test({ conversationId: null, content: ' Where is the order? ' });
    expect(first).toMatchObject({
      status: 'pending',
      answered: true,
      messages: [
        { from: 'tester', content: 'Where is the order?' },
        { from: 'agent', content: 'On its way.' },
      ],
    });
    const { conversationId } = first;
    const again = await aiAgent.test({ conversationId, content: 'Do you sell boats?' });
    expect(again).toMatchObject({ conversationId, status: 'open', answered: false });
    expect(again.messages).toHaveLength(3);
    expect(await recordedEvents(workspaceId)).toEqual([]);
    expect(await db().sample.count({ where: { workspaceId } })).toBe(0);
    expect((await inbox.list({ search: 'order' })).rows).toEqual([]);
    expect((await inbox.list({})).rows).toEqual([]);
    expect((await notifications.list()).newest).toEqual([]);
    expect(JSON.stringify(await contacts.list({}))).not.toContain('Test contact');
  });

  test('continues only a test of this workspace, and needs content', async ({ teammates, screensOf }) => {
    const { aiAgent } = await screensOf('agent');
    const { workspaceId, agent: teammate } = teammates;
    const real = await makeConversation({ workspaceId, teammate });
    const foreign = await makeConversation(await makeConnection(), { isTest: true });
    for (const conversationId of [real, foreign, 'no-uuid']) {
      await expect(aiAgent.test({ conversationId, content: 'Hello' })).rejects.toMatchObject(NOT_FOUND);
    }
    for (const content of ['', ' \n', 'x'.repeat(4_001)]) {
      await expect(aiAgent.test({ conversationId: null, content })).rejects.toMatchObject(
        refusal({ content: [expect.stringMatching(/\.$/)] }),
      );
    }
  });
});

describe('permissions', () => {
  test('agents and viewers cannot change settings; viewers cannot test or silence the agent', async ({
    teammates,
    screensOf,
  }) => {
    const { workspaceId, agent: teammate } = teammates;
    const conversationId = await makeConversation({ workspaceId, teammate });
    const owner = await screensOf('owner');
    const answer = await owner.aiAgent.addAnswer(ANSWER);
    const flow = await owner.flows.create(FLOW_FORM);
    const calls = {
      agent: await screensOf('agent'),
      viewer: await screensOf('viewer'),
    };
    const before = await rowsOfWorkspace(workspaceId);
    for (const { aiAgent, flows } of Object.values(calls)) {
      for (const call of [
        aiAgent.setEnabled({ enabled: true }),
        aiAgent.addAnswer(ANSWER),
        aiAgent.updateAnswer({ ...answer, ...ANSWER }),
        aiAgent.deleteAnswer(answer),
        flows.create(FLOW_FORM),
        flows.update({ ...flow, ...FLOW_FORM }),
        flows.switch({ ...flow, enabled: false }),
        flows.delete(flow),
      ]) {
        await expect(call).rejects.toMatchObject(FORBIDDEN);
      }
    }
    for (const call of [
      calls.viewer.aiAgent.test({ conversationId: null, content: 'Hello' }),
      calls.viewer.aiAgent.setSilenced({ id: conversationId, silenced: true }),
    ]) {
      await expect(call).rejects.toMatchObject(FORBIDDEN);
    }
    expect(await rowsOfWorkspace(workspaceId)).toEqual(before);
  });

  test('an admin who was demoted after loading the page cannot change settings', async ({ screensOf }) => {
    const demoted = await makeTeammates();
    const { aiAgent, flows } = await screensOf('admin', demoted);
    await db().member.updateMany({
      where: { workspaceId: demoted.workspaceId, userId: demoted.admin.id },
      data: { role: 'agent' },
    });
    const refused = [
      aiAgent.addAnswer(ANSWER),
      aiAgent.setEnabled({ enabled: true }),
      flows.create(FLOW_FORM),
    ];
    for (const outcome of await Promise.allSettled(refused)) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: FORBIDDEN });
    }
  });
});

const FORBIDDEN = { cause: { refusal: 'forbidden' } };
const NOT_FOUND = { cause: { refusal: 'not_found' } };
const refusal = (errors: object) => ({ cause: { errors } });
const ANSWER = { question: 'Where is my order?', answer: 'On its way.', nextStatus: 'pending' } as const;
