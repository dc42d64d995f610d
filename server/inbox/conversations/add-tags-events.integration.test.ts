import { describe, expect } from 'vitest';
import { fanOut } from '#server/automation/deliveries/fan-out.ts';
import { planAndWrite } from '#server/core/database/planned.ts';
import { db } from '#server/core/database/prisma.ts';
import { addTags } from '#server/inbox/conversations/tags.ts';
import { type ApiResponse, apiClient } from '#test/clients/api-client.ts';
import { test } from '#test/fixtures/conversation-test.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { makeConnection, makeUser } from '#test/fixtures/factories.ts';
import type { Api, Connected } from '#test/fixtures/fixture-types.ts';
import { PLATFORM } from '#test/fixtures/service.ts';

test('the event contains the new tags as given, and the conversation with all its tags', async ({
  api,
  connection,
  conversation: id,
}) => {
  const { body } = await tag(api, id, ['VIP', 'shipping', ' Late ']);
  const [event, ...more] = await events(connection);
  expect(more).toEqual([]);
  expect(event).toMatchObject({ key: 'conversation.tagged', filterValues: ['vip', 'late'] });
  expect(event?.body).toEqual({
    id: event?.id,
    event: 'conversation.tagged',
    occurred_at: expect.any(String),
    conversation: body,
    added_tags: ['VIP', 'Late'],
  });
  expect(event?.body.conversation.tags).toEqual(['Shipping', 'VIP', 'Late']);
});

test('no event is emitted when no tag is new', async ({ api, connection, conversation: id }) => {
  await tag(api, id, 'SHIPPING');
  expect(await events(connection)).toEqual([]);
});

test('tagging a test conversation with the AI agent emits no event', async ({ connection }) => {
  const { workspaceId, teammate } = connection;
  const actor = { kind: 'teammate', teammate } as const;
  const testId = await makeConversation(connection, { isTest: true });
  const tagged = await planAndWrite((tx) => addTags(tx, { workspaceId, id: testId, actor, tags: ['VIP'] }));
  expect(tagged.tags).toEqual(['Shipping', 'VIP']);
  expect(await events(connection)).toEqual([]);
});

describe('a hook', () => {
  const heard = async (api: Api, id: string, filter?: string) => {
    const hook = { event: 'conversation.tagged', target_url: `https://${PLATFORM.hooksHost}/hook` };
    const { body } = await api('POST', '/hooks', { ...hook, tag: filter });
    await tag(api, id, ['Ünïcode', 'VIP', 'late order']);
    await fanOut({ leaseId: 'nobody', hooks: 0 });
    return db().delivery.count({ where: { hookId: (body as { id: string }).id } });
  };

  test.for([undefined, 'VIP', 'vip', ' Vip ', 'LATE ORDER', 'ÜNÏCODE'])(
    'with the filter %j receives the event',
    async (filter, { api, conversation: id }) => {
      expect(await heard(api, id, filter)).toBe(1);
    },
  );

  test.for(['late', 'order', 'VIPs', 'Shipping', 'VIP,late order'])(
    'with the filter %j does not receive the event',
    async (filter, { api, conversation: id }) => {
      expect(await heard(api, id, filter)).toBe(0);
    },
  );
});

describe('parallel calls', () => {
  test('with the same tags add each tag once and emit one event', async ({
    api,
    connection,
    conversation: id,
  }) => {
    const responses = await Promise.all(Array.from({ length: 10 }, () => tag(api, id, ['VIP', 'late'])));
    for (const response of responses) {
      expect(response).toMatchObject({ status: 200, body: { tags: ['Shipping', 'VIP', 'late'] } });
    }
    expect(await events(connection)).toMatchObject([{ body: { added_tags: ['VIP', 'late'] } }]);
    expect(await db().tagging.count({ where: { conversationId: id } })).toBe(1);
    expect(await db().timelineEntry.count({ where: { conversationId: id } })).toBe(1);
  });

  test('with overlapping tags, in any order and spelling, emit each tag once', async ({
    service,
    api,
    connection,
    conversation: id,
  }) => {
    const { workspaceId } = connection;
    const other = await makeConnection({ workspaceId, teammate: await makeUser('Noor') });
    const clients = [api, apiClient(service.url, other.accessToken)];
    const lists = [['a', 'b'], ['B', 'C'], ['c', 'A'], ['b', 'a', 'd'], ['D']];
    const calls = lists.flatMap((tags) =>
      clients.map((call): Promise<ApiResponse> => call('POST', `/conversations/${id}/tags`, { tags })),
    );
    expect(new Set((await Promise.all(calls)).map(({ status }) => status))).toEqual(new Set([200]));
    const added = (await events(connection)).flatMap(({ body }): string[] => body.added_tags);
    const { body } = await tag(api, id, 'a');
    const { tags } = body as { tags: string[] };
    expect(tags.toSorted()).toEqual(['Shipping', ...added].toSorted());
    expect(added.map((name) => name.toLowerCase()).sort()).toEqual(['a', 'b', 'c', 'd']);
  });
});

const tag = (api: Api, id: string, tags: unknown) => api('POST', `/conversations/${id}/tags`, { tags });

async function events(connection: Connected) {
  const { workspaceId } = connection;
  const rows = await db().event.findMany({ where: { workspaceId }, orderBy: { id: 'asc' } });
  return rows.map((row) => ({ ...row, body: JSON.parse(row.body) }));
}
