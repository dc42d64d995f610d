import { beforeEach, describe, expect } from 'vitest';
import { removeFieldValues } from '#server/administration/fields/remove-field-values.ts';
import { db } from '#server/core/database/prisma.ts';
import { errorsOf } from '#test/fixtures/errors-of.ts';
import { publishedTopics } from '#test/fixtures/published-topics.ts';
import { forgetJobs, queuedJobs } from '#test/fixtures/queued-jobs.ts';
import { test as screensTest } from '#test/fixtures/screens-test.ts';

beforeEach(forgetJobs);

/**
 * - `fields`: the procedures of the admin.
 * - `shown`: names and choices of the fields, in their order.
 * - `filled`: creates conversations with a value of a field.
 */
const test = screensTest
  .extend('fields', async ({ screensOf }) => (await screensOf('admin')).fields)
  .extend('shown', ({ fields }) => async () => {
    const { fields: all } = await fields.list();
    return all.map(({ name, choices }) => [name, ...choices.map((choice) => choice.name)].join(' '));
  })
  .extend(
    'filled',
    ({ workspaceId }) =>
      async (fieldId: string, value: { text: string } | { choiceId: string }, count: number) => {
        const made = await db().conversation.createManyAndReturn({
          data: Array.from({ length: count }, () => ({ workspaceId, channel: 'email' as const })),
          select: { id: true },
        });
        await db().conversationFieldValue.createMany({
          data: made.map(({ id }) => ({ workspaceId, conversationId: id, fieldId, ...value })),
        });
      },
  );

const CAUSE = { subject: 'conversation', type: 'choice', name: 'Cause' } as const;
const choicesOf = (...names: string[]) => names.map((name) => ({ name }));

describe('a field', () => {
  test('is created as the last one of its subject, and tells open pages', async ({
    workspaceId,
    fields,
    shown,
  }) => {
    const topics = await publishedTopics(workspaceId, () =>
      fields.create({ subject: 'contact', type: 'number', name: '  Seats ', choices: [] }),
    );
    expect(topics).toEqual(['access']);
    await fields.create({ ...CAUSE, choices: choicesOf('Bug', ' ', 'Question') });
    await fields.create({ subject: 'contact', type: 'date', name: 'Renewal', choices: choicesOf('no') });
    expect(await shown()).toEqual(['Seats', 'Cause Bug Question', 'Renewal']);
    expect(await auditedFields(workspaceId)).toEqual([
      ['field_created', { fieldName: 'Seats', subject: 'contact' }],
      ['field_created', { fieldName: 'Cause', subject: 'conversation' }],
      ['field_created', { fieldName: 'Renewal', subject: 'contact' }],
    ]);
  });

  test.for<[string, string]>([
    ['', 'must not be empty'],
    ['x'.repeat(61), 'at most 60'],
    ['a{b', '{ }'],
    ['e-mail|x', '|'],
    ['seats', 'already a contact field called Seats'],
    ['First_Name', 'already has this'],
    [' EMAIL ', 'already has this'],
  ])('is not called %j', async ([name, problem], { fields }) => {
    await fields.create({ subject: 'contact', type: 'text', name: 'Seats', choices: [] });
    const refused = await errorsOf(fields.create({ subject: 'contact', type: 'text', name, choices: [] }));
    expect(refused).toEqual({ name: [expect.stringContaining(problem)] });
    await fields.create({ subject: 'conversation', type: 'text', name: 'Seats', choices: [] });
  });

  test('of two admins at once has its name only once', async ({ fields }) => {
    const create = () => fields.create({ subject: 'contact', type: 'text', name: 'Seats', choices: [] });
    const errors = await Promise.all([errorsOf(create()), errorsOf(create())]);
    expect(errors.filter((error) => error === undefined)).toHaveLength(1);
  });

  test('is one of at most 50 of its subject', async ({ workspaceId, fields }) => {
    await db().customField.createMany({
      data: Array.from({ length: 50 }, (_, position) => ({
        workspaceId,
        subject: 'contact' as const,
        type: 'text' as const,
        name: `Field ${position}`,
        position,
      })),
    });
    const field = { type: 'text' as const, name: 'More', choices: [] };
    expect(await errorsOf(fields.create({ ...field, subject: 'contact' }))).toEqual({
      name: [expect.stringContaining('up to 50 fields for contacts')],
    });
    await fields.create({ ...field, subject: 'conversation' });
  });

  test('is moved by one place within its subject', async ({ fields, shown }) => {
    const ids: string[] = [];
    for (const name of ['One', 'Two', 'Three'])
      ids.push((await fields.create({ subject: 'contact', type: 'text', name, choices: [] })).id);
    const [one = '', , three = ''] = ids;
    await fields.move({ id: one, to: 'up' });
    await fields.move({ id: three, to: 'down' });
    expect(await shown()).toEqual(['One', 'Two', 'Three']);
    await fields.move({ id: one, to: 'down' });
    await fields.move({ id: three, to: 'up' });
    expect(await shown()).toEqual(['Two', 'Three', 'One']);
  });

  test('that is deleted loses its name and values at once or in a job, which can run twice', async ({
    workspaceId,
    fields,
    filled,
    shown,
  }) => {
    const order = {
      subject: 'conversation' as const,
      type: 'text' as const,
      name: 'Order',
      choices: [],
    };
    const { id } = await fields.create(order);
    await filled(id, { text: 'A-1' }, 1_100);
    expect(await fields.usage({ id })).toEqual({
      values: { count: 999, more: true },
      choices: {},
      savedReplies: 0,
    });
    await fields.delete({ id });
    expect(await shown()).toEqual([]);
    expect(await queuedJobs()).toEqual([{ task: 'remove-field-values', payload: { fieldId: id } }]);
    await Promise.all([removeFieldValues({ fieldId: id }), removeFieldValues({ fieldId: id })]);
    await removeFieldValues({ fieldId: id });
    expect(await db().conversationFieldValue.count({ where: { workspaceId } })).toBe(0);
    expect(await db().customField.count({ where: { workspaceId } })).toBe(0);
    await fields.create(order);
    expect(await auditedFields(workspaceId)).toMatchObject([
      ['field_created', {}],
      ['field_deleted', { fieldName: 'Order', subject: 'conversation' }],
      ['field_created', {}],
    ]);
  });
});

describe('choices', () => {
  test('are renamed, swapped, added and ordered, and values keep theirs', async ({
    workspaceId,
    fields,
    filled,
    shown,
  }) => {
    const { id } = await fields.create({ ...CAUSE, choices: choicesOf('Bug', 'Question') });
    const [bug, question] = await choiceIds(id);
    await filled(id, { choiceId: bug }, 2);
    await fields.update({
      id,
      name: 'Cause',
      choices: [{ id: question, name: 'Bug' }, { name: 'Idea' }, { id: bug, name: 'Question' }],
      removedChoiceIds: [],
    });
    expect(await shown()).toEqual(['Cause Bug Idea Question']);
    const { choices } = await fields.usage({ id });
    expect(choices[bug]).toEqual({ count: 2, more: false });
    expect(await auditedFields(workspaceId)).toEqual([
      ['field_created', { fieldName: 'Cause', subject: 'conversation' }],
      ['field_choices_changed', { fieldName: 'Cause', subject: 'conversation' }],
    ]);
  });

  test('that are removed are cleared, and the others stay', async ({
    workspaceId,
    fields,
    filled,
    shown,
  }) => {
    const { id } = await fields.create({ ...CAUSE, choices: choicesOf('Bug', 'Question') });
    const [bug, question] = await choiceIds(id);
    await filled(id, { choiceId: bug }, 1_050);
    await filled(id, { choiceId: question }, 2);
    await fields.update({
      id,
      name: 'Reason',
      choices: [{ id: question, name: 'Question' }],
      removedChoiceIds: [bug],
    });
    expect(await shown()).toEqual(['Reason Question']);
    await removeFieldValues({ fieldId: id });
    const left = await db().conversationFieldValue.findMany({ where: { workspaceId } });
    expect(left.map(({ choiceId }) => choiceId)).toEqual([question, question]);
    expect(await db().fieldChoice.count({ where: { fieldId: id } })).toBe(1);
  });

  test('that another admin added or removed in the meantime stay so', async ({ fields, shown }) => {
    const { id } = await fields.create({ ...CAUSE, choices: choicesOf('Bug', 'Question') });
    const [bug, question] = await choiceIds(id);
    const both = [
      { id: bug, name: 'Bug' },
      { id: question, name: 'Question' },
    ];
    await fields.update({ id, name: 'Cause', choices: [...both, { name: 'Idea' }], removedChoiceIds: [bug] });
    await fields.update({ id, name: 'Cause', choices: both, removedChoiceIds: [] });
    expect(await shown()).toEqual(['Cause Question Idea']);
  });

  test('must have different names, and a field has 1 to 50 of them', async ({ fields }) => {
    const create = (...names: string[]) =>
      errorsOf(fields.create({ ...CAUSE, choices: choicesOf(...names) }));
    for (const names of [[], ['', ' '], ['Bug', 'BUG'], ['x'.repeat(61)]])
      expect(await create(...names)).toEqual({ choices: [expect.any(String)] });
    const many = Array.from({ length: 51 }, (_, at) => `Choice ${at}`);
    expect(await create(...many)).toEqual({ choices: [expect.stringContaining('50')] });
    expect(await create(...many.slice(1))).toBeUndefined();
    const [field] = (await fields.list()).fields;
    const id = field?.id ?? '';
    const [first] = await choiceIds(id);
    const emptied = { id, name: 'Cause', choices: [{ id: first, name: ' ' }], removedChoiceIds: [] };
    expect(await errorsOf(fields.update(emptied))).toEqual({ choices: [expect.any(String)] });
    const removedChoiceIds = await choiceIds(id);
    expect(await errorsOf(fields.update({ ...emptied, choices: [], removedChoiceIds }))).toEqual({
      choices: [expect.any(String)],
    });
  });

  test('of another field cannot be changed through this one', async ({ fields, shown }) => {
    const { id } = await fields.create({ ...CAUSE, choices: choicesOf('Bug') });
    const [bug] = await choiceIds(id);
    const other = { ...CAUSE, name: 'Other', choices: [{ id: bug, name: 'Stolen' }] };
    const { id: otherId } = await fields.create(other);
    await fields.update({
      id: otherId,
      name: 'Other',
      choices: [{ id: bug, name: 'Taken' }],
      removedChoiceIds: [bug],
    });
    expect(await shown()).toEqual(['Cause Bug', 'Other Stolen']);
  });
});

test('agents, viewers and admins of another workspace can change no field', async ({ screensOf, fields }) => {
  const { id } = await fields.create({ ...CAUSE, choices: choicesOf('Bug') });
  for (const role of ['agent', 'viewer'] as const) {
    const own = (await screensOf(role)).fields;
    for (const change of [
      () => own.create({ ...CAUSE, choices: choicesOf('Bug') }),
      () => own.update({ id, name: 'x', choices: [], removedChoiceIds: [] }),
      () => own.move({ id, to: 'up' }),
      () => own.usage({ id }),
      () => own.delete({ id }),
    ])
      expect(await errorsOf(change())).toMatch(/owners and admins/i);
    expect((await own.list()).fields).toHaveLength(1);
  }
});

/** Ids of the choices in their order. */
async function choiceIds(fieldId: string): Promise<[string, string]> {
  const choices = await db().fieldChoice.findMany({
    where: { fieldId, deletedAt: null },
    orderBy: { position: 'asc' },
  });
  return choices.map(({ id }) => id) as [string, string];
}

async function auditedFields(workspaceId: string) {
  const entries = await db().auditEntry.findMany({ where: { workspaceId }, orderBy: { id: 'asc' } });
  return entries.filter(({ kind }) => kind.startsWith('field_')).map(({ kind, data }) => [kind, data]);
}
