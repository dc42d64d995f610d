import { beforeEach, describe, expect, test } from 'vitest';
import { fanOut } from '#server/automation/deliveries/fan-out.ts';
import { db } from '#server/core/database/prisma.ts';
import { addTags } from '#server/inbox/conversations/tags.ts';
import { type ApiResponse, apiClient } from '#test/clients/api-client.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { makeConnection, makeUser } from '#test/fixtures/factories.ts';
import { PLATFORM, withTestService } from '#test/fixtures/service.ts';

const service = withTestService();
let connection: Awaited<ReturnType<typeof makeConnection>>;
let api: ReturnType<typeof apiClient>;
let id: string;
beforeEach(async () => {
  connection = await makeConnection();
  api = apiClient(service.url, connection.accessToken);
  // Has the tag Shipping.
  id = await makeConversation(connection);
});

const tag = (tags: unknown, conversationId = id) =>
  api('POST', `/conversations/${conversationId}/tags`, { tags });

async function events() {
  const { workspaceId } = connection;
  const rows = await db().event.findMany({ where: { workspaceId }, orderBy: { id: 'asc' } });
  return rows.map((row) => ({ ...row, body: JSON.parse(row.body) }));
}

test('the event contains the new tags as given, and the conversation with all its tags', async () => {
  const { body } = await tag(['VIP', 'shipping', ' Late ']);
  const [event, ...more] = await events();
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

test('no event is emitted when no tag is new', async () => {
  await tag('SHIPPING');
  expect(await events()).toEqual([]);
});

test('tagging a test conversation with the AI agent emits no event', async () => {
  const { workspaceId, teammate } = connection;
  const actor = { kind: 'teammate', teammate } as const;
  const testId = await makeConversation(connection, { isTest: true });
  const tagged = await addTags({ workspaceId, id: testId, actor, tags: ['VIP'] });
  expect(tagged.tags).toEqual(['Shipping', 'VIP']);
  expect(await events()).toEqual([]);
});

describe('a hook', () => {
  const heard = async (filter?: string) => {
    const hook = { event: 'conversation.tagged', target_url: `https://${PLATFORM.hooksHost}/hook` };
    const { body } = await api('POST', '/hooks', { ...hook, tag: filter });
    await tag(['Ünïcode', 'VIP', 'late order']);
    await fanOut({ leaseId: 'nobody', hooks: 0 });
    return db().delivery.count({ where: { hookId: (body as { id: string }).id } });
  };

  test.each([undefined, 'VIP', 'vip', ' Vip ', 'LATE ORDER', 'ÜNÏCODE'])(
    'with the filter %j receives the event',
    async (filter) => {
      expect(await heard(filter)).toBe(1);
    },
  );

  test.each(['late', 'order', 'VIPs', 'Shipping', 'VIP,late order'])(
    'with the filter %j does not receive the event',
    async (filter) => {
      expect(await heard(filter)).toBe(0);
    },
  );
});

describe('parallel calls', () => {
  test('with the same tags add each tag once and emit one event', async () => {
    const responses = await Promise.all(Array.from({ length: 10 }, () => tag(['VIP', 'late'])));
    for (const response of responses) {
      expect(response).toMatchObject({ status: 200, body: { tags: ['Shipping', 'VIP', 'late'] } });
    }
    expect(await events()).toMatchObject([{ body: { added_tags: ['VIP', 'late'] } }]);
    expect(await db().tagging.count({ where: { conversationId: id } })).toBe(1);
    expect(await db().timelineEntry.count({ where: { conversationId: id } })).toBe(1);
  });

  test('with overlapping tags, in any order and spelling, emit each tag once', async () => {
    const { workspaceId } = connection;
    const other = await makeConnection({ workspaceId, teammate: await makeUser('Noor') });
    const clients = [api, apiClient(service.url, other.accessToken)];
    const lists = [['a', 'b'], ['B', 'C'], ['c', 'A'], ['b', 'a', 'd'], ['D']];
    const calls = lists.flatMap((tags) =>
      clients.map((call): Promise<ApiResponse> => call('POST', `/conversations/${id}/tags`, { tags })),
    );
    expect(new Set((await Promise.all(calls)).map(({ status }) => status))).toEqual(new Set([200]));
    const added = (await events()).flatMap(({ body }): string[] => body.added_tags);
    const { body } = await tag('a');
    const { tags } = body as { tags: string[] };
    expect(tags.toSorted()).toEqual(['Shipping', ...added].toSorted());
    expect(added.map((name) => name.toLowerCase()).sort()).toEqual(['a', 'b', 'c', 'd']);
  });
});
