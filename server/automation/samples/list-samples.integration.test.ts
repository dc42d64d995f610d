import { randomUUID } from 'node:crypto';
import { NIL } from 'uuid';
import { describe, expect } from 'vitest';
import { EVENT_KEYS, type EventKey } from '#server/contract/event-catalogue.ts';
import { eventSchemas, sampleSchemas } from '#server/contract/event-schemas.ts';
import { db } from '#server/core/database/prisma.ts';
import { sampleClient } from '#test/clients/sample-client.ts';
import { LONG_AGO, makeContact, makeConversation } from '#test/fixtures/conversations.ts';
import { addMember, makeConnection, makeUser } from '#test/fixtures/factories.ts';
import { makeOccurrence } from '#test/fixtures/occurrences.ts';
import { type Samples, test } from '#test/fixtures/sample-test.ts';

const OF_CONVERSATIONS = EVENT_KEYS.filter((key) => key !== 'contact.created');
const FILTERS: Partial<Record<EventKey, Record<string, string>>> = {
  'conversation.status_changed': { status: 'open' },
  'conversation.tagged': { tag: 'vip' },
  'operator.command': { command: 'refund' },
};

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

describe.each(EVENT_KEYS)('samples of %s', (key) => {
  test('are the three newest by occurrence, newest first, and the same when loaded again', async ({
    connection,
    samples,
  }) => {
    const made: Record<number, string> = {};
    for (const minute of [2, 4, 0, 3, 1])
      made[minute] = await makeOccurrence(key, connection, { at: at(minute) });
    const newest = [4, 3, 2].map((minute) => `${key}:${made[minute]}`);
    for (let times = 0; times < 3; times += 1) expect(await ids(samples, key)).toEqual(newest);
  });

  test('have a stable order for equal timestamps', async ({ connection, samples }) => {
    const made: string[] = [];
    for (let count = 0; count < 4; count += 1)
      made.push(await makeOccurrence(key, connection, { at: at(0) }));
    const newest = made.toSorted().toReversed().slice(0, 3);
    expect(await ids(samples, key)).toEqual(newest.map((id) => `${key}:${id}`));
  });
});

const REPEATABLE = [
  'conversation.tagged',
  'conversation.rated',
  'message.received',
  'operator.command',
] as const;

describe.each(REPEATABLE)('%s, when it occurs again in a conversation,', (key) => {
  test('is shown once, at its newest occurrence, with one id', async ({ connection, samples }) => {
    const again = await makeOccurrence(key, connection, { at: at(0) });
    const once = await makeOccurrence(key, connection, { at: at(1) });
    await makeOccurrence(key, connection, { at: at(2), conversationId: again });
    const found = await samples(key);
    expect(found.map(({ id }) => id)).toEqual([`${key}:${again}`, `${key}:${once}`]);
    expect(found[0]?.occurred_at).toBe('2026-11-21T06:02:00.000+00:00');
  });

  test('is shown at its newest occurrence even if an earlier one is recorded later', async ({
    connection,
    samples,
  }) => {
    const conversationId = await makeOccurrence(key, connection, { at: at(2) });
    const [newest] = await samples(key);
    await makeOccurrence(key, connection, { at: at(1), conversationId });
    expect(await samples(key)).toEqual([newest]);
  });

  test('does not displace other conversations', async ({ connection, samples }) => {
    const once = await makeOccurrence(key, connection, { at: at(0) });
    const often = await makeOccurrence(key, connection, { at: at(1) });
    for (let minute = 2; minute < 7; minute += 1)
      await makeOccurrence(key, connection, { at: at(minute), conversationId: often });
    expect(await ids(samples, key)).toEqual([`${key}:${often}`, `${key}:${once}`]);
  });
});

describe('a conversation', () => {
  test('that is no longer assigned is no sample of an assignment', async ({ connection, samples }) => {
    const id = await makeOccurrence('conversation.assigned', connection, { at: at(0) });
    await db().conversation.update({ where: { id }, data: { assigneeId: null, assignedAt: null } });
    expect(await samples('conversation.assigned')).toEqual([]);
  });

  test('that never changed its status is a sample, with its creation as the first change', async ({
    connection,
    samples,
  }) => {
    const columns = { createdAt: at(0), statusChangedAt: at(0) };
    const id = await makeOccurrence('conversation.created', connection, { at: at(0), columns });
    expect(await ids(samples, 'conversation.status_changed')).toEqual([`conversation.status_changed:${id}`]);
  });
});

describe.each(OF_CONVERSATIONS)('samples of %s', (key) => {
  /** Returns the samples with and without the matching filter. */
  const shown = async (samples: Samples) => [
    ...(await samples(key)),
    ...(await samples(key, FILTERS[key] ?? {})),
  ];

  test('never show a conversation that was merged into another one', async ({ connection, samples }) => {
    const mergedIntoId = await makeConversation(connection, { isTest: true });
    const id = await makeOccurrence(key, connection, { at: AT });
    expect(await shown(samples)).toHaveLength(2);
    await db().conversation.update({ where: { id }, data: { mergedIntoId } });
    expect(await shown(samples)).toEqual([]);
    await db().sample.deleteMany({ where: { conversationId: id } });
    expect(await shown(samples)).toEqual([]);
  });

  test('never show a conversation from testing the AI agent', async ({ connection, samples }) => {
    await makeOccurrence(key, connection, { at: AT, columns: { isTest: true } });
    expect(await shown(samples)).toEqual([]);
  });

  test('show an older conversation behind any number of hidden ones', async ({ connection, samples }) => {
    const mergedIntoId = await makeOccurrence(key, connection, { at: AT });
    for (let count = 0; count < 3; count += 1) {
      await makeOccurrence(key, connection, { at: LATER, columns: { isTest: true } });
      await makeOccurrence(key, connection, { at: LATER, columns: { mergedIntoId } });
    }
    expect(await samples(key)).toMatchObject([{ id: `${key}:${mergedIntoId}` }]);
  });
});

test('contacts from testing the AI agent are never shown', async ({ connection, samples }) => {
  const { id } = await makeContact(connection.workspaceId);
  for (let count = 0; count < 3; count += 1)
    await makeContact(connection.workspaceId, { isTest: true, createdAt: LATER });
  expect((await samples('contact.created')).map((sample) => sample.id)).toEqual([`contact.created:${id}`]);
});

describe.each(EVENT_KEYS)('%s of another workspace', (key) => {
  test('is never shown, even for the same teammate', async ({ service, connection, samples }) => {
    const elsewhere = await makeConnection({ teammate: connection.teammate });
    const there = await makeOccurrence(key, elsewhere, { at: LATER });
    expect(await samples(key)).toEqual([]);
    const here = await makeOccurrence(key, connection, { at: AT });
    expect((await samples(key)).map(({ id }) => id)).toEqual([`${key}:${here}`]);
    const theirs = await sampleClient(service.url, elsewhere.accessToken)(key);
    expect(theirs.map(({ id }) => id)).toEqual([`${key}:${there}`]);
  });
});

describe('a deleted conversation', () => {
  test.for(OF_CONVERSATIONS)('is not a sample of %s', async (key, { connection, samples }) => {
    const id = await makeOccurrence(key, connection, { at: AT });
    await db().conversation.delete({ where: { id } });
    expect(await samples(key)).toEqual([]);
  });
});

test.for(REPEATABLE)('%s is not shown once its subject is deleted', async (key, { connection, samples }) => {
  const conversationId = await makeOccurrence(key, connection, { at: AT });
  await db().sample.updateMany({ where: { conversationId }, data: { subjectId: randomUUID() } });
  expect(await samples(key)).toEqual([]);
});

const AT = new Date('2026-11-21T06:29:29.123Z');

const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 6, minute));
const ids = async (samples: Samples, key: string) => (await samples(key)).map(({ id }) => id);
const LATER = new Date('2026-11-21T07:00:00.000Z');
