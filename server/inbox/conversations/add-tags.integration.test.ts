import { beforeEach, describe, expect, test } from 'vitest';
import type { ConversationRecord } from '#server/contract/record-schemas.ts';
import { db } from '#server/core/database/prisma.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { LONG_AGO, makeConversation, recordOf } from '#test/fixtures/conversations.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { withTestService } from '#test/fixtures/service.ts';

const service = withTestService();
let connection: Awaited<ReturnType<typeof makeConnection>>;
let id: string;
beforeEach(async () => {
  connection = await makeConnection();
  // Has the tag Shipping.
  id = await makeConversation(connection, { updatedAt: LONG_AGO });
});

async function tag(tags: unknown, conversationId = id): Promise<ConversationRecord> {
  const api = apiClient(service.url, connection.accessToken);
  const { status, body } = await api('POST', `/conversations/${conversationId}/tags`, { tags });
  expect(status, JSON.stringify(tags).slice(0, 100)).toBe(200);
  return body as ConversationRecord;
}
const found = () => db().conversation.findUniqueOrThrow({ where: { id } });

test('adding tags returns 200 with the updated Conversation', async () => {
  const { teammate } = connection;
  const body = await tag(['VIP']);
  expect(body).toEqual(await recordOf(id));
  expect(body).toMatchObject({ id, tags: ['Shipping', 'VIP'], assignee: teammate, status: 'open' });
});

describe('the tags on the conversation', () => {
  test.each<[string, unknown, string[]]>([
    ['are the existing ones, then the new ones in the given order', ['b', 'c', 'a'], ['b', 'c', 'a']],
    ['can be sent as one string', 'VIP', ['VIP']],
    ['can be sent as a string with commas', ' VIP , refund,,late order ', ['VIP', 'refund', 'late order']],
    ['are trimmed, and empty ones are dropped', [' VIP ', '', ' \t', 'refund\n'], ['VIP', 'refund']],
    [
      'keep the spelling and position of the first occurrence',
      ['a', 'Vip', 'VIP', 'A', 'vip', 'b'],
      ['a', 'Vip', 'b'],
    ],
    ['keep the spelling that is stored', ['SHIPPING', 'VIP', ' shipping '], ['VIP']],
    ['can be 20 in one call', numbered(20), numbered(20)],
    ['can have 40 characters', ['x'.repeat(40)], ['x'.repeat(40)]],
    ['can have 40 emoji', ['😀'.repeat(40)], ['😀'.repeat(40)]],
    ['can contain a comma when sent as an array', ['a,b'], ['a,b']],
  ])('%s', async (_what, tags, added) => {
    expect((await tag(tags)).tags).toEqual(['Shipping', ...added]);
  });

  test('stay in the order in which they were added', async () => {
    await tag(['late', 'VIP']);
    await tag('angry,vip');
    await tag(['Late', 'b', 'a', 'SHIPPING']);
    const tags = ['Shipping', 'late', 'VIP', 'angry', 'b', 'a'];
    expect((await tag('VIP')).tags).toEqual(tags);
    expect((await tag('VIP', id.toUpperCase())).tags).toEqual(tags);
  });

  test('can be more than 20 in total', async () => {
    await tag(numbered(20));
    expect((await tag(numbered(40).slice(20))).tags).toEqual(['Shipping', ...numbered(40)]);
  });
});

test.each(['open', 'pending', 'solved', 'closed'] as const)(
  'tagging a conversation that is %s changes only its updated_at',
  async (status) => {
    await db().conversation.update({ where: { id }, data: { status, updatedAt: LONG_AGO } });
    const before = await found();
    const { updated_at } = await tag('VIP');
    expect(await found()).toEqual({ ...before, updatedAt: new Date(updated_at) });
    expect(new Date(updated_at).getTime()).toBeGreaterThan(LONG_AGO.getTime());
  },
);

test('nothing changes when no tag is new', async () => {
  const before = await found();
  expect((await tag(['shipping', 'Shipping', 'SHIPPING'])).tags).toEqual(['Shipping']);
  expect(await found()).toEqual(before);
  expect(await db().tagging.count({ where: { conversationId: id } })).toBe(0);
  expect(await db().timelineEntry.count({ where: { conversationId: id } })).toBe(0);
});

test('one timeline entry shows the new tags, the teammate and the connection', async () => {
  await tag(['VIP', 'shipping', 'late']);
  expect(await db().timelineEntry.findMany({ where: { conversationId: id } })).toMatchObject([
    {
      kind: 'tagged',
      data: { tags: ['VIP', 'late'] },
      actorKind: 'workflow',
      actorId: connection.teammate.id,
      actorName: connection.teammate.name,
      connectionId: connection.id,
    },
  ]);
});

test('the tagging is stored with the new tags in their order', async () => {
  await tag(['VIP', 'shipping', 'Late', 'angry']);
  const [tagging, ...more] = await db().tagging.findMany({
    where: { conversationId: id },
    include: { tags: { orderBy: { position: 'asc' } } },
  });
  expect(more).toEqual([]);
  expect(tagging).toMatchObject({ actorKind: 'workflow', workspaceId: connection.workspaceId });
  expect(tagging?.tags.map(({ position, key, name }) => ({ position, key, name }))).toEqual([
    { position: 0, key: 'vip', name: 'VIP' },
    { position: 1, key: 'late', name: 'Late' },
    { position: 2, key: 'angry', name: 'angry' },
  ]);
});

function numbered(count: number): string[] {
  return Array.from({ length: count }, (_, number) => `t${number}`);
}
