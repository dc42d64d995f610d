import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { EVENT_KEYS, type EventKey } from '#server/contract/event-catalogue.ts';
import { db } from '#server/core/database/prisma.ts';
import { sampleClient } from '#test/clients/sample-client.ts';
import { makeContact, makeConversation } from '#test/fixtures/conversations.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { makeOccurrence } from '#test/fixtures/occurrences.ts';
import { type Samples, test } from '#test/fixtures/sample-test.ts';

const OF_CONVERSATIONS = EVENT_KEYS.filter((key) => key !== 'contact.created');
const FILTERS: Partial<Record<EventKey, Record<string, string>>> = {
  'conversation.status_changed': { status: 'open' },
  'conversation.tagged': { tag: 'vip' },
  'operator.command': { command: 'refund' },
};

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
  test.for(OF_CONVERSATIONS)('is no sample of %s', async (key, { connection, samples }) => {
    const id = await makeOccurrence(key, connection, { at: AT });
    await db().conversation.delete({ where: { id } });
    expect(await samples(key)).toEqual([]);
  });
});

test.for(['conversation.tagged', 'conversation.rated', 'message.received', 'operator.command'] as const)(
  '%s is not shown once its subject is deleted',
  async (key, { connection, samples }) => {
    const conversationId = await makeOccurrence(key, connection, { at: AT });
    await db().sample.updateMany({ where: { conversationId }, data: { subjectId: randomUUID() } });
    expect(await samples(key)).toEqual([]);
  },
);

const AT = new Date('2026-11-21T06:29:29.123Z');
const LATER = new Date('2026-11-21T07:00:00.000Z');
