import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import type { ConversationRecord } from '#server/contract/record-schemas.ts';
import { db } from '#server/core/database/prisma.ts';
import { rowsOfWorkspace } from '#test/database/rows-of-workspace.ts';
import { test } from '#test/fixtures/conversation-test.ts';
import { LONG_AGO, recordOf } from '#test/fixtures/conversations.ts';
import type { Api, Connected } from '#test/fixtures/fixture-types.ts';
import { mergedInto, NOT_FOUND, refused } from '#test/fixtures/refused.ts';
import { storedConversation } from '#test/fixtures/stored-rows.ts';

test('adding tags returns 200 with the updated Conversation', async ({
  api,
  connection,
  conversation: id,
}) => {
  const { teammate } = connection;
  const body = await tag(api, id, ['VIP']);
  expect(body).toEqual(await recordOf(id));
  expect(body).toMatchObject({ id, tags: ['Shipping', 'VIP'], assignee: teammate, status: 'open' });
});

describe('the tags on the conversation', () => {
  test.for<[string, unknown, string[]]>([
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
  ])('%s', async ([_what, tags, added], { api, conversation: id }) => {
    expect((await tag(api, id, tags)).tags).toEqual(['Shipping', ...added]);
  });

  test('stay in the order in which they were added', async ({ api, conversation: id }) => {
    await tag(api, id, ['late', 'VIP']);
    await tag(api, id, 'angry,vip');
    await tag(api, id, ['Late', 'b', 'a', 'SHIPPING']);
    const tags = ['Shipping', 'late', 'VIP', 'angry', 'b', 'a'];
    expect((await tag(api, id, 'VIP')).tags).toEqual(tags);
    expect((await tag(api, id.toUpperCase(), 'VIP')).tags).toEqual(tags);
  });

  test('can be more than 20 in total', async ({ api, conversation: id }) => {
    await tag(api, id, numbered(20));
    expect((await tag(api, id, numbered(40).slice(20))).tags).toEqual(['Shipping', ...numbered(40)]);
  });
});

test.for(['open', 'pending', 'solved', 'closed'] as const)(
  'tagging a conversation that is %s changes only its updated_at',
  async (status, { api, conversation: id }) => {
    await db().conversation.update({ where: { id }, data: { status, updatedAt: LONG_AGO } });
    const before = await storedConversation(id);
    const { updated_at } = await tag(api, id, 'VIP');
    expect(await storedConversation(id)).toEqual({ ...before, updatedAt: new Date(updated_at) });
    expect(new Date(updated_at).getTime()).toBeGreaterThan(LONG_AGO.getTime());
  },
);

test('nothing changes when no tag is new', async ({ api, conversation: id }) => {
  const before = await storedConversation(id);
  expect((await tag(api, id, ['shipping', 'Shipping', 'SHIPPING'])).tags).toEqual(['Shipping']);
  expect(await storedConversation(id)).toEqual(before);
  expect(await db().tagging.count({ where: { conversationId: id } })).toBe(0);
  expect(await db().timelineEntry.count({ where: { conversationId: id } })).toBe(0);
});

test('one timeline entry shows the new tags, the teammate and the connection', async ({
  api,
  connection,
  conversation: id,
}) => {
  await tag(api, id, ['VIP', 'shipping', 'late']);
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

test('the tagging is stored with the new tags in their order', async ({
  api,
  connection,
  conversation: id,
}) => {
  await tag(api, id, ['VIP', 'shipping', 'Late', 'angry']);
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

describe('invalid tags are refused, and no tag is added', () => {
  const REQUIRED = 'The tags are required: send at least one.';
  const LIST = 'The tags must be an array of texts, or one comma-separated text.';
  const TEXT = 'Each tag must be text.';
  const MANY = 'The tags are too many: send at most 20 in one request.';
  const LONG = 'Each tag must be at most 40 characters.';
  const UNSTORABLE = 'The tags contain a character that cannot be stored. Remove it.';
  const twentyOne = Array.from({ length: 21 }, (_, number) => `t${number}`);
  test.for<[string, unknown, string]>([
    ['missing', undefined, REQUIRED],
    ['null', null, REQUIRED],
    ['an empty text', '', REQUIRED],
    ['a blank text', ' \n', REQUIRED],
    ['only commas', ' , ,,', REQUIRED],
    ['an empty array', [], REQUIRED],
    ['an array of blanks', ['', '  '], REQUIRED],
    ['a number', 7, LIST],
    ['a boolean', true, LIST],
    ['an object', { 0: 'VIP' }, LIST],
    ['an array with a number', ['VIP', 7], TEXT],
    ['an array with null', ['VIP', null], TEXT],
    ['an array in an array', ['VIP', ['late']], TEXT],
    ['an array with an object', [{ name: 'VIP' }], TEXT],
    ['21 tags', twentyOne, MANY],
    ['21 tags in a text', twentyOne.join(', '), MANY],
    ['21 times one tag', Array(21).fill('VIP'), MANY],
    ['21 times a tag that is there', Array(21).fill('Shipping'), MANY],
    ['41 characters', ['VIP', 'x'.repeat(41)], LONG],
    ['41 emoji', `VIP,${'😀'.repeat(41)}`, LONG],
    ['U+0000', ['VIP', 'a\0b'], UNSTORABLE],
    ['half a character', ['\ud83d'], UNSTORABLE],
  ])('%s', async ([_what, tags, sentence], { api, connection, stranger, conversation: id }) => {
    expect(await refusedTags(api, [connection, stranger], id, { tags })).toEqual(refused('tags', sentence));
  });
});

describe('an unknown conversation is reported before invalid tags', () => {
  test.for<[string, (ids: { id: string; foreign: string }) => string]>([
    ['an unknown id', () => randomUUID()],
    ['an id of another workspace', ({ foreign }) => foreign],
    ['an id of another workspace in upper case', ({ foreign }) => foreign.toUpperCase()],
    ['an invalid id', () => '42'],
    ['an id with U+0000', ({ id }) => `${id}%00`],
  ])('%s', async ([_what, which], { api, connection, stranger, conversation: id, foreign }) => {
    const unknown = which({ id, foreign });
    for (const body of [{ tags: ['VIP'] }, { tags: [] }, {}, { tags: 7 }]) {
      expect(await refusedTags(api, [connection, stranger], unknown, body)).toEqual(NOT_FOUND);
    }
  });
});

test('tags of a merged conversation are refused, even those that it already has', async ({
  api,
  connection,
  conversation,
  stranger,
  merged,
}) => {
  for (const tags of [['VIP'], ['Shipping']]) {
    expect(await refusedTags(api, [connection, stranger], merged, { tags })).toEqual(
      refused('conversation', mergedInto(conversation)),
    );
  }
});

async function tag(api: Api, id: string, tags: unknown): Promise<ConversationRecord> {
  const { status, body } = await api('POST', `/conversations/${id}/tags`, { tags });
  expect(status, JSON.stringify(tags).slice(0, 100)).toBe(200);
  return body as ConversationRecord;
}

function numbered(count: number): string[] {
  return Array.from({ length: count }, (_, number) => `t${number}`);
}

/** Sends tags and expects that no workspace changes. */
async function refusedTags(api: Api, workspaces: Connected[], conversationId: string, body: unknown) {
  const both = () => Promise.all(workspaces.map((one) => rowsOfWorkspace(one.workspaceId)));
  const before = await both();
  const response = await api('POST', `/conversations/${conversationId}/tags`, body);
  expect(await both()).toEqual(before);
  return { status: response.status, body: response.body };
}
