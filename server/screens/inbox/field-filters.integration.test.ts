import { expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { sql } from '#server/core/database/sql.ts';
import {
  type FieldCondition,
  parseFieldConditions,
  writeFieldConditions,
} from '#server/inbox/lists/field-conditions.ts';
import { countInbox } from '#server/screens/inbox/count-inbox.ts';
import { listInbox } from '#server/screens/inbox/list-inbox.ts';
import { type InboxReader, makeInboxReader } from '#test/fixtures/inbox-reader.ts';
import { addListed } from '#test/fixtures/listed-conversations.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';

/** `fields`: ids of a field of each type, of contacts and conversations, and of two choices. `listed`: adds a conversation with values. */
const test = serviceTest
  .extend('inbox', ({ service }) => makeInboxReader(service.url))
  .extend('fields', async ({ inbox: { workspaceId } }) => {
    const make = async (subject: 'contact' | 'conversation', type: 'text' | 'number' | 'date' | 'choice') =>
      (await db().customField.create({ data: { workspaceId, subject, type, name: type, position: 0 } })).id;
    const plan = await make('contact', 'choice');
    const choice = async (name: string) =>
      (await db().fieldChoice.create({ data: { workspaceId, fieldId: plan, name, position: 0 } })).id;
    return {
      plan,
      free: await choice('Free'),
      pro: await choice('Pro'),
      seats: await make('contact', 'number'),
      order: await make('conversation', 'text'),
      due: await make('conversation', 'date'),
    };
  })
  .extend(
    'listed',
    ({ inbox: { workspaceId }, fields }) =>
      async (
        subject: string,
        values: { order?: string; due?: string; plan?: 'free' | 'pro'; seats?: string },
      ) => {
        const { id: contactId } = await db().contact.create({ data: { workspaceId, firstName: subject } });
        const conversationId = await addListed({ workspaceId, subject, contactId });
        const { order, due, plan, seats } = values;
        const own = { workspaceId, conversationId };
        const ofContact = { workspaceId, contactId };
        if (order)
          await db().conversationFieldValue.create({ data: { ...own, fieldId: fields.order, text: order } });
        if (due)
          await db().conversationFieldValue.create({
            data: { ...own, fieldId: fields.due, date: new Date(due) },
          });
        if (plan)
          await db().contactFieldValue.create({
            data: { ...ofContact, fieldId: fields.plan, choiceId: fields[plan] },
          });
        if (seats)
          await db().contactFieldValue.create({
            data: { ...ofContact, fieldId: fields.seats, number: seats },
          });
      },
  );

type Condition = [FieldCondition['subject'], string, FieldCondition['operator'], ...string[]];

test('conversations are listed and counted by values of their own and of their contact', async ({
  inbox,
  fields,
  listed,
}) => {
  await listed('one', { order: 'A-1', due: '2026-11-01', plan: 'free', seats: '5' });
  await listed('two', { order: 'b-20%', due: '2026-12-01', plan: 'pro', seats: '12.5' });
  await listed('three', {});
  const { order, due, plan, seats, free, pro } = fields;
  const cases: [Condition[], string[]][] = [
    [[['conversation', order, 'is', 'a-1']], ['one']],
    [[['conversation', order, 'is', 'a']], []],
    [[['conversation', order, 'has', '20%']], ['two']],
    [[['conversation', order, 'empty']], ['three']],
    [[['conversation', order, 'set']], ['one', 'two']],
    [[['conversation', due, 'on', '2026-11-01']], ['one']],
    [[['conversation', due, 'before', '2026-12-01']], ['one']],
    [[['conversation', due, 'after', '2026-11-01']], ['two']],
    [[['contact', plan, 'any', free, pro]], ['one', 'two']],
    [[['contact', plan, 'any', pro]], ['two']],
    [[['contact', plan, 'empty']], ['three']],
    [[['contact', seats, 'eq', '12.50']], ['two']],
    [[['contact', seats, 'lt', '12.5']], ['one']],
    [[['contact', seats, 'gt', '5']], ['two']],
    [
      [
        ['contact', plan, 'set'],
        ['conversation', order, 'has', 'A'],
      ],
      ['one'],
    ],
  ];
  for (const [conditions, found] of cases) {
    const filter = filterOf(...conditions);
    expect((await subjects(inbox, filter)).toSorted(), JSON.stringify(conditions)).toEqual(found.toSorted());
    expect((await inbox.counts(filter)).open.count, JSON.stringify(conditions)).toBe(found.length);
  }
});

test('a page of many conversations continues where the last one ended, by rare and by common values', async ({
  inbox,
  fields,
}) => {
  const { workspaceId } = inbox;
  const made = await db().conversation.createManyAndReturn({
    data: Array.from({ length: 1_300 }, (_, at) => ({
      workspaceId,
      channel: 'email' as const,
      subject: `${at}`,
      lastMessageAt: new Date(Date.UTC(2026, 0, 1) + at * 1_000),
    })),
    select: { id: true, subject: true },
  });
  await db().conversationFieldValue.createMany({
    data: made.map(({ id }, at) => ({
      workspaceId,
      conversationId: id,
      fieldId: fields.order,
      // The last ones are the newest.
      text: at % 20 === 3 ? 'rare' : at > 1_200 ? 'new' : 'common',
    })),
  });
  for (const [text, count] of [
    ['rare', 65],
    ['common', 1_141],
  ] as const) {
    const filter = filterOf(['conversation', fields.order, 'is', text]);
    const listed: (string | null)[] = [];
    let cursor: string | undefined;
    do {
      const page = await inbox.list({ ...filter, ...(cursor === undefined ? {} : { cursor }) });
      listed.push(...page.rows.map(({ subject }) => subject));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(listed).toEqual(listed.toSorted((a, b) => Number(b) - Number(a)));
    expect(new Set(listed).size).toBe(listed.length);
    expect(listed).toHaveLength(count);
  }
});

test('a teammate with a limited view finds only what they see, by a value of theirs or of the contact', async ({
  inbox,
  fields,
  listed,
}) => {
  const { workspaceId } = inbox;
  await listed('hidden', { order: 'A-1', plan: 'pro' });
  await listed('seen', { order: 'A-1', plan: 'pro' });
  const { userId } = await db().member.findFirstOrThrow({ where: { workspaceId } });
  await db().conversation.updateMany({
    where: { workspaceId, subject: 'seen' },
    data: { assigneeId: userId, assignedAt: new Date() },
  });
  const visibility = {
    userId,
    teamIds: [],
    onlyAssigned: true,
    hiddenMailboxIds: [],
    hiddenAccountIds: [],
    hidesWebChat: false,
  };
  for (const condition of [
    ['conversation', fields.order, 'is', 'A-1'],
    ['contact', fields.plan, 'any', fields.pro],
    ['conversation', fields.due, 'empty'],
  ] as Condition[]) {
    const given = parseFieldConditions(filterOf(condition).fields);
    const filter = { workspaceId, visibility, fields: given };
    expect((await listInbox(sql(), { filter })).rows.map(({ subject }) => subject)).toEqual(['seen']);
    expect((await countInbox(sql(), filter)).open.count).toBe(1);
  }
});

test('a deleted field, one of another workspace and text that is no filter match nothing or are ignored', async ({
  inbox,
  fields,
  listed,
}) => {
  await listed('one', { order: 'A-1' });
  const other = await db().workspace.create({ data: { name: 'Other', plan: 'growth' } });
  const foreign = await db().customField.create({
    data: { workspaceId: other.id, subject: 'conversation', type: 'text', name: 'x', position: 0 },
  });
  expect(await subjects(inbox, filterOf(['conversation', foreign.id, 'empty']))).toEqual([]);
  await db().customField.update({ where: { id: fields.order }, data: { deletedAt: new Date() } });
  for (const condition of [
    ['conversation', fields.order, 'is', 'A-1'],
    ['conversation', fields.order, 'empty'],
  ] as Condition[])
    expect(await subjects(inbox, filterOf(condition))).toEqual([]);
  expect(await subjects(inbox, { fields: 'nonsense' })).toEqual(['one']);
});

function filterOf(...conditions: Condition[]): { fields: string } {
  const written = writeFieldConditions(
    conditions.map(([subject, fieldId, operator, ...values]) => ({ subject, fieldId, operator, values })),
  );
  return { fields: written ?? '' };
}

async function subjects({ list }: InboxReader, filter: { fields: string }): Promise<(string | null)[]> {
  return (await list(filter)).rows.map(({ subject }) => subject);
}
