import { NIL } from 'uuid';
import { describe, expect } from 'vitest';
import { EVENT_KEYS } from '#server/contract/event-catalogue.ts';
import { eventSchemas, sampleSchemas } from '#server/contract/event-schemas.ts';
import { db } from '#server/core/database/prisma.ts';
import { LONG_AGO } from '#test/fixtures/conversations.ts';
import { addMember, makeUser } from '#test/fixtures/factories.ts';
import { makeOccurrence } from '#test/fixtures/occurrences.ts';
import { test } from '#test/fixtures/sample-test.ts';

describe.each(EVENT_KEYS)('samples of %s', (key) => {
  test('are empty in an empty workspace', async ({ samples }) => {
    expect(await samples(key)).toEqual([]);
  });

  test('equal the delivered event, except for its id and previous values', async ({
    connection,
    samples,
  }) => {
    const id = await makeOccurrence(key, connection, { at: AT });
    const event = await db().event.findFirstOrThrow({ where: { workspaceId: connection.workspaceId } });
    const body = eventSchemas[key].parse(JSON.parse(event.body));
    const [sample] = await samples(key);
    const before = Object.keys(body).filter((name) => name.startsWith('previous_'));
    expect(sample).toEqual({
      ...body,
      ...Object.fromEntries(before.map((name) => [name, null])),
      id: `${key}:${id}`,
    });
    expect(Object.keys(sample ?? {})).toEqual(Object.keys(body));
    expect(sampleSchemas[key].safeParse(sample)).toMatchObject({ success: true });
    expect(sample).toMatchObject({ event: key, occurred_at: '2026-11-21T06:29:29.123+00:00' });
  });

  test('show the current conversation', async ({ connection, samples }) => {
    const id = await makeOccurrence(key, connection, { at: AT });
    if (key === 'contact.created') {
      await db().contact.update({ where: { id }, data: { city: 'Rome' } });
      expect(await samples(key)).toMatchObject([{ contact: { city: 'Rome' } }]);
    } else {
      await db().conversation.update({ where: { id }, data: { priority: 'urgent' } });
      expect(await samples(key)).toMatchObject([{ conversation: { priority: 'urgent' } }]);
    }
  });
});

test('a tagging shows the tags it added, in their order, even if they were removed since', async ({
  connection,
  samples,
}) => {
  const tags = ['zebra', 'Ape', 'größe'];
  const conversationId = await makeOccurrence('conversation.tagged', connection, { at: AT, tags });
  await db().conversationTag.deleteMany({ where: { conversationId } });
  expect(await samples('conversation.tagged')).toMatchObject([
    { added_tags: tags, conversation: { tags: [] } },
  ]);
});

describe('the operator of a command', () => {
  test('has the current name and address', async ({ connection, samples }) => {
    await makeOccurrence('operator.command', connection, { at: AT });
    await db().user.update({ where: { id: connection.teammate.id }, data: { name: 'Olivia Oak' } });
    const operator = { ...connection.teammate, name: 'Olivia Oak' };
    expect(await samples('operator.command')).toMatchObject([{ operator }]);
  });

  test('has the stored name and address and the nil id, once the teammate is deleted', async ({
    connection,
    samples,
  }) => {
    const teammate = await makeUser('Noor Nash');
    await addMember(connection.workspaceId, teammate.id, 'agent');
    const columns = { assigneeId: null, assignedAt: null, createdAt: LONG_AGO };
    const stage = { workspaceId: connection.workspaceId, teammate };
    await makeOccurrence('operator.command', stage, { at: AT, columns });
    await db().user.delete({ where: { id: teammate.id } });
    expect(await samples('operator.command')).toMatchObject([{ operator: { ...teammate, id: NIL } }]);
  });
});

test('a rating without a comment has a null comment', async ({ connection, samples }) => {
  const conversationId = await makeOccurrence('conversation.rated', connection, { at: AT });
  await db().rating.updateMany({ where: { conversationId }, data: { comment: null } });
  expect(await samples('conversation.rated')).toMatchObject([{ rating: { score: 4, comment: null } }]);
});

const AT = new Date('2026-11-21T06:29:29.123Z');
