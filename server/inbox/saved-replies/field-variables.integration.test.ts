import { beforeEach, describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { errorsOf } from '#test/fixtures/errors-of.ts';
import { forgetJobs } from '#test/fixtures/queued-jobs.ts';
import { test as screensTest } from '#test/fixtures/screens-test.ts';

beforeEach(forgetJobs);

const EMPTY = { folder: '', isPrivate: false, files: [] };

/**
 * - `admin`, `agent`: the procedures of these teammates.
 * - `plan`, `order`: ids of the contact field Plan, a choice of Free and Pro, and the conversation field Order number, a text.
 * - `offered`: returns what the composer offers an agent for a query.
 */
const test = screensTest
  .extend('admin', ({ screensOf }) => screensOf('admin'))
  .extend('agent', ({ screensOf }) => screensOf('agent'))
  .extend('plan', async ({ admin: { fields } }) => {
    const choices = [{ name: 'Free' }, { name: 'Pro' }];
    return (await fields.create({ subject: 'contact', type: 'choice', name: 'Plan', choices })).id;
  })
  .extend('order', async ({ admin: { fields } }) => {
    const field = { subject: 'conversation', type: 'text', name: 'Order number' } as const;
    return (await fields.create({ ...field, choices: [] })).id;
  })
  .extend('offered', ({ agent, conversation: conversationId }) => async (query: string) => {
    const [first] = await agent.savedReplies.offer({ conversationId, query });
    return first && { content: first.content, missing: first.missing };
  });

describe('a custom field in a saved reply', () => {
  test('is offered as a variable and filled in, with the name of the choice, or with its fallback', async ({
    agent,
    plan,
    order,
    conversation: id,
    offered,
  }) => {
    const { variables } = await agent.savedReplies.get({});
    expect(variables.slice(-2)).toEqual([
      { name: 'contact.Plan', about: 'Plan of the contact' },
      { name: 'conversation.Order number', about: 'Order number of the conversation' },
    ]);
    const content = 'You have {{contact.Plan|a plan}}. Order {{conversation.order number}}';
    await agent.savedReplies.add({ ...EMPTY, name: 'Plans', content });
    expect(await offered('plans')).toEqual({
      content: 'You have a plan. Order ',
      missing: ['Order number of the conversation'],
    });
    const { contactId } = await db().conversation.findUniqueOrThrow({ where: { id } });
    const choice = await db().fieldChoice.findFirstOrThrow({ where: { fieldId: plan, name: 'Pro' } });
    await agent.fields.setOnContact({ id: contactId ?? '', fieldId: plan, value: choice.id });
    await agent.fields.setOnConversation({ id, fieldId: order, value: '{{contact.Plan}}' });
    expect(await offered('plans')).toEqual({
      content: 'You have Pro. Order {{contact.Plan}}',
      missing: [],
    });
  });

  test('that does not exist is refused, also one of the other subject', async ({ agent, plan: _ }) => {
    for (const content of ['{{contact.Plam}}', '{{conversation.Plan}}'])
      expect(await errorsOf(agent.savedReplies.add({ ...EMPTY, name: 'x', content }))).toEqual({
        content: [expect.stringContaining('is not a variable')],
      });
  });

  test('gets its new name when it is renamed, also in private replies, and its fallback remains when it is deleted', async ({
    workspaceId,
    admin,
    agent,
    plan,
  }) => {
    const content = '{{ contact.plan | none }}, {{contact.Plan}}! {{contact.name}}';
    await agent.savedReplies.add({ ...EMPTY, name: 'Shared', content });
    await agent.savedReplies.add({ ...EMPTY, name: 'Private', content: '{{contact.PLAN}}', isPrivate: true });
    const contents = async () => {
      const found = await db().savedReply.findMany({ where: { workspaceId }, orderBy: { id: 'asc' } });
      return found.map((reply) => reply.content);
    };
    await admin.fields.update({ id: plan, name: 'Tariff', choices: [], removedChoiceIds: [] });
    expect(await contents()).toEqual([
      '{{contact.Tariff|none}}, {{contact.Tariff}}! {{contact.name}}',
      '{{contact.Tariff}}',
    ]);
    expect(await admin.fields.usage({ id: plan })).toMatchObject({ savedReplies: 2 });
    await admin.fields.delete({ id: plan });
    expect(await contents()).toEqual(['none, ! {{contact.name}}', '']);
  });
});
