import { describe, expect } from 'vitest';
import { conversationSchema } from '#server/contract/record-schemas.ts';
import { db } from '#server/core/database/prisma.ts';
import { rowsOfWorkspace } from '#test/database/rows-of-workspace.ts';
import { test } from '#test/fixtures/conversation-test.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import type { Api } from '#test/fixtures/fixture-types.ts';

describe('a call with one field changes only that field', () => {
  test.for(['status', 'priority', 'assignee_id', 'team_id'] as const)(
    '%s',
    async (field, { api, conversation: id, ben, returns }) => {
      const { body, expected } = {
        status: { body: { status: 'pending' }, expected: { status: 'pending' } },
        priority: { body: { priority: 'urgent' }, expected: { priority: 'urgent' } },
        assignee_id: { body: { assignee_id: ben.id }, expected: { assignee: ben } },
        team_id: { body: { team_id: returns.id }, expected: { team: returns } },
      }[field];
      const before = await search(api, id);
      const updated = await patch(api, id, body);
      expect(updated).toEqual({ ...before, ...expected, updated_at: expect.any(String) });
      expect(updated.updated_at > before.updated_at).toBe(true);
      expect(await search(api, id)).toEqual(updated);
    },
  );

  test('every priority can be set', async ({ api, conversation: id }) => {
    for (const priority of ['low', 'high', 'urgent', 'normal'] as const) {
      expect((await patch(api, id, { priority })).priority).toBe(priority);
    }
  });
});

test('one call can change all four fields', async ({ api, ben, returns, conversation: id }) => {
  const updated = await patch(api, id, {
    status: 'solved',
    priority: 'high',
    assignee_id: ben.id,
    team_id: returns.id,
  });
  expect(updated).toMatchObject({ status: 'solved', priority: 'high', assignee: ben, team: returns });
  expect(updated.resolved_at).toBe(updated.updated_at);
  expect(await search(api, id)).toEqual(updated);
});

test.for(['none', 'unassigned', ' none '])(
  'assignee_id %j unassigns the conversation',
  async (assignee_id, { api, conversation: id }) => {
    expect(await patch(api, id, { assignee_id })).toMatchObject({ assignee: null });
    expect(await db().conversation.findUnique({ where: { id } })).toMatchObject({ assignedAt: null });
    expect(await patch(api, id, { assignee_id })).toMatchObject({ assignee: null });
  },
);

test.for(['none', 'no_team', ' no_team '])(
  'team_id %j removes the conversation from its team',
  async (team_id, { api, conversation: id }) => {
    expect(await patch(api, id, { team_id })).toMatchObject({ team: null });
    expect(await patch(api, id, { team_id })).toMatchObject({ team: null });
  },
);

test('null, empty and blank fields change nothing', async ({ api, conversation: id }) => {
  const before = await search(api, id);
  for (const blank of [null, '', ' \t\n']) {
    const others = { status: blank, assignee_id: blank, team_id: blank };
    expect(await patch(api, id, { ...others, priority: 'high' })).toMatchObject({
      ...before,
      priority: 'high',
      updated_at: expect.any(String),
    });
    expect(await patch(api, id, { priority: blank, status: 'pending' })).toMatchObject({
      priority: 'high',
      status: 'pending',
    });
    await patch(api, id, { priority: 'normal', status: 'open' });
  }
});

test('current values change nothing, not even updated_at', async ({ api, connection, conversation: id }) => {
  const before = await search(api, id);
  const rows = await rowsOfWorkspace(connection.workspaceId);
  const same = {
    status: 'open',
    priority: 'normal',
    assignee_id: connection.teammate.id,
    team_id: before.team?.id,
  };
  for (const [field, value] of Object.entries(same))
    expect(await patch(api, id, { [field]: value })).toEqual(before);
  expect(await patch(api, id, same)).toEqual(before);
  expect(await rowsOfWorkspace(connection.workspaceId)).toEqual(rows);
});

test('only the values that differ change the conversation', async ({ api, connection, conversation: id }) => {
  await patch(api, id, { status: 'open', priority: 'high', assignee_id: connection.teammate.id });
  const entries = await db().timelineEntry.findMany({ where: { conversationId: id } });
  expect(entries.map(({ kind }) => kind)).toEqual(['priority_changed']);
  expect(await db().event.count({ where: { workspaceId: connection.workspaceId } })).toBe(0);
});

test('ids can be in upper case, and responses have them in lower case', async ({
  api,
  ben,
  returns,
  conversation: id,
}) => {
  const updated = await patch(api, id.toUpperCase(), {
    status: 'pending',
    assignee_id: ben.id.toUpperCase(),
    team_id: returns.id.toUpperCase(),
  });
  expect(updated).toMatchObject({ id, status: 'pending', assignee: ben, team: returns });
  expect(updated.url).toBe(`http://inbox.test/inbox?selected=${id}`);
  expect(await patch(api, id, { assignee_id: ben.id.toUpperCase() })).toEqual(updated);
});

test('the id in the path selects the conversation, and unknown fields of the body are ignored', async ({
  api,
  connection,
  conversation: id,
}) => {
  const other = await makeConversation(connection);
  expect(
    await patch(api, id, { id: other, status: 'pending', subject: 'Hijacked', is_test: true }),
  ).toMatchObject({
    id,
    status: 'pending',
    subject: 'Order',
  });
  expect(await db().conversation.findUnique({ where: { id: other } })).toMatchObject({ status: 'open' });
});

test('an assignee who became a viewer stays until the assignee changes', async ({
  api,
  ben,
  conversation: id,
}) => {
  await patch(api, id, { assignee_id: ben.id });
  await db().member.updateMany({ where: { userId: ben.id }, data: { role: 'viewer' } });
  expect(await patch(api, id, { status: 'pending' })).toMatchObject({ status: 'pending', assignee: ben });
  expect(await patch(api, id, { assignee_id: 'none' })).toMatchObject({ assignee: null });
});

async function patch(api: Api, id: string, body: object) {
  const response = await api('PATCH', `/conversations/${id}`, body);
  expect(response, JSON.stringify(body)).toMatchObject({ status: 200 });
  return conversationSchema.parse(response.body);
}

async function search(api: Api, id: string) {
  const { body } = await api('GET', `/conversations/search?id=${id}`);
  return conversationSchema.parse((body as unknown[])[0]);
}
