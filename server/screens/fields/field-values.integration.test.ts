import { beforeEach, describe, expect } from 'vitest';
import { mergeContacts } from '#server/contacts/merge-contacts.ts';
import { db } from '#server/core/database/prisma.ts';
import { removeConversation } from '#server/inbox/conversations/removal.ts';
import { recordedEvents } from '#test/database/recorded-events.ts';
import { makeContact, makeConversation } from '#test/fixtures/conversations.ts';
import { errorsOf } from '#test/fixtures/errors-of.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { publishedTopics } from '#test/fixtures/published-topics.ts';
import { forgetJobs } from '#test/fixtures/queued-jobs.ts';
import { test as screensTest } from '#test/fixtures/screens-test.ts';

beforeEach(forgetJobs);

/**
 * - `agent`: the procedures of an agent.
 * - `field`: creates a field and returns its id.
 * - `contact`: a contact of the workspace.
 */
const test = screensTest
  .extend('agent', async ({ screensOf }) => (await screensOf('agent')).fields)
  .extend('field', async ({ screensOf }) => {
    const { fields } = await screensOf('admin');
    return async (
      subject: 'contact' | 'conversation',
      type: 'text' | 'number' | 'date' | 'choice',
      name = `${subject} ${type}`,
    ) => (await fields.create({ subject, type, name, choices: [{ name: 'Free' }, { name: 'Pro' }] })).id;
  })
  .extend('contact', async ({ workspaceId }) => (await makeContact(workspaceId, { firstName: 'Ada' })).id);

describe('a value of a conversation', () => {
  test('of each type is set, changed, cleared and told in the timeline', async ({
    workspaceId,
    agent,
    field,
    conversation: id,
  }) => {
    const text = await field('conversation', 'text', 'Order');
    const number = await field('conversation', 'number', 'Price');
    const date = await field('conversation', 'date', 'Due');
    const choice = await field('conversation', 'choice', 'Plan');
    const [free = '', pro = ''] = (await db().fieldChoice.findMany({ orderBy: { position: 'asc' } })).map(
      (each) => each.id,
    );
    const set = (fieldId: string, value: string) => agent.setOnConversation({ id, fieldId, value });
    const topics = await publishedTopics(workspaceId, () => set(text, ' A-1 '));
    expect(topics).toEqual(['conversations']);
    await set(number, '+12.50');
    await set(date, '2026-11-30');
    await set(choice, free);
    await set(choice, pro);
    await set(choice, pro);
    expect(await agent.ofConversation({ id })).toEqual({
      [text]: 'A-1',
      [number]: '12.5',
      [date]: '2026-11-30',
      [choice]: pro,
    });
    await set(text, '');
    await set(text, ' ');
    expect(await agent.ofConversation({ id })).not.toHaveProperty(text);
    const entries = await db().timelineEntry.findMany({
      where: { conversationId: id, kind: 'field_set' },
      orderBy: { id: 'asc' },
    });
    expect(entries.map(({ data }) => data)).toEqual([
      { fieldName: 'Order', from: null, to: 'A-1' },
      { fieldName: 'Price', from: null, to: '12.5' },
      { fieldName: 'Due', from: null, to: '30 Nov 2026' },
      { fieldName: 'Plan', from: null, to: 'Free' },
      { fieldName: 'Plan', from: 'Free', to: 'Pro' },
      { fieldName: 'Order', from: 'A-1', to: null },
    ]);
    expect(await recordedEvents(workspaceId)).toEqual([]);
  });

  test('of two teammates at once is that of the last one, and the timeline shows both', async ({
    screensOf,
    agent,
    field,
    conversation: id,
  }) => {
    const fieldId = await field('conversation', 'text', 'Order');
    const owner = (await screensOf('owner')).fields;
    await Promise.all([
      agent.setOnConversation({ id, fieldId, value: 'A' }),
      owner.setOnConversation({ id, fieldId, value: 'B' }),
    ]);
    const entries = await db().timelineEntry.findMany({
      where: { conversationId: id, kind: 'field_set' },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    });
    const values = (await agent.ofConversation({ id }))[fieldId] ?? '';
    expect(['A', 'B']).toContain(values);
    expect(entries.map(({ data }) => data)).toContainEqual({
      fieldName: 'Order',
      from: values === 'A' ? 'B' : 'A',
      to: values,
    });
  });

  test('is refused by the name of the field, for another subject, and for one that was deleted', async ({
    screensOf,
    agent,
    field,
    contact,
    conversation: id,
  }) => {
    const due = await field('conversation', 'date', 'Due');
    expect(await errorsOf(agent.setOnConversation({ id, fieldId: due, value: 'soon' }))).toEqual({
      value: ['Due must be a date such as 2026-11-30.'],
    });
    expect(await errorsOf(agent.setOnContact({ id: contact, fieldId: due, value: '2026-11-30' }))).toBe(
      'The field was not found.',
    );
    await (await screensOf('admin')).fields.delete({ id: due });
    expect(await errorsOf(agent.setOnConversation({ id, fieldId: due, value: '2026-11-30' }))).toBe(
      'The field was not found.',
    );
  });

  test('cannot be set by a viewer, in a deleted conversation, or through another workspace', async ({
    screensOf,
    workspaceId,
    teammates,
    agent,
    field,
    conversation: id,
  }) => {
    const fieldId = await field('conversation', 'text');
    const viewer = (await screensOf('viewer')).fields;
    expect(await errorsOf(viewer.setOnConversation({ id, fieldId, value: 'x' }))).toMatch(/Viewers/);
    const actor = { kind: 'teammate' as const, teammate: teammates.owner };
    await removeConversation({ workspaceId, id, to: 'deleted', actor });
    expect(await errorsOf(agent.setOnConversation({ id, fieldId, value: 'x' }))).toMatchObject({
      conversation: [expect.any(String)],
    });
    const unknown = await makeConversation(await makeConnection());
    expect(await errorsOf(agent.setOnConversation({ id: unknown, fieldId, value: 'x' }))).toBe(
      'The conversation was not found.',
    );
    expect(await db().conversationFieldValue.count({ where: { workspaceId } })).toBe(0);
  });
});

describe('a value of a contact', () => {
  test('is shown and changed beside its conversations and on its page, also by the id of a merged contact', async ({
    screensOf,
    workspaceId,
    teammates,
    agent,
    field,
    contact,
  }) => {
    const seats = await field('contact', 'number', 'Seats');
    const plan = await field('contact', 'text', 'Plan');
    const twin = (await makeContact(workspaceId, { firstName: 'Twin' })).id;
    await agent.setOnContact({ id: contact, fieldId: seats, value: '5' });
    await agent.setOnContact({ id: twin, fieldId: seats, value: '7' });
    await agent.setOnContact({ id: twin, fieldId: plan, value: 'Pro' });
    const { contacts } = await screensOf('agent');
    expect((await contacts.mergePreview({ id: twin, intoId: contact })).customFields).toEqual([
      { name: 'Seats', value: '5', lost: '7' },
      { name: 'Plan', value: 'Pro', lost: null },
    ]);
    const actor = { kind: 'teammate' as const, teammate: teammates.owner };
    await mergeContacts({ workspaceId, id: twin, intoId: contact, actor });
    // The remaining contact's value wins, and an empty one is filled.
    expect(await agent.ofContact({ id: contact })).toEqual({ [seats]: '5', [plan]: 'Pro' });
    await agent.setOnContact({ id: twin, fieldId: seats, value: '9' });
    expect(await agent.ofContact({ id: twin })).toEqual({ [seats]: '9', [plan]: 'Pro' });
    expect(await db().contactFieldValue.count({ where: { workspaceId } })).toBe(2);
  });

  test('is set while the contact is merged: it is at the remaining one', async ({
    workspaceId,
    teammates,
    agent,
    field,
    contact,
  }) => {
    const seats = await field('contact', 'number');
    const twin = (await makeContact(workspaceId, { firstName: 'Twin' })).id;
    const actor = { kind: 'teammate' as const, teammate: teammates.owner };
    await Promise.all([
      agent.setOnContact({ id: twin, fieldId: seats, value: '7' }),
      mergeContacts({ workspaceId, id: twin, intoId: contact, actor }),
    ]);
    expect(await agent.ofContact({ id: contact })).toEqual({ [seats]: '7' });
  });

  test('cannot be set by a viewer, or of an unknown contact', async ({
    screensOf,
    agent,
    field,
    contact,
  }) => {
    const fieldId = await field('contact', 'text');
    const viewer = (await screensOf('viewer')).fields;
    expect(await errorsOf(viewer.setOnContact({ id: contact, fieldId, value: 'x' }))).toMatch(/Viewers/);
    for (const id of ['x', crypto.randomUUID()])
      expect(await errorsOf(agent.setOnContact({ id, fieldId, value: 'x' }))).toBe(
        'The contact was not found.',
      );
  });
});
