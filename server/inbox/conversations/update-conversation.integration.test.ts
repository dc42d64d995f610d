import { beforeEach, describe, expect, test } from 'vitest';
import { conversationSchema } from '#server/contract/record-schemas.ts';
import { db } from '#server/core/database/prisma.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { rowsOfWorkspace } from '#test/database/rows-of-workspace.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { addMember, makeConnection, makeUser } from '#test/fixtures/factories.ts';
import { withTestService } from '#test/fixtures/service.ts';

const service = withTestService();
let connection: Awaited<ReturnType<typeof makeConnection>>;
let ben: Awaited<ReturnType<typeof makeUser>>;
let returns: { id: string; name: string };
/** Open, of normal priority, in a team and assigned to the connecting teammate. */
let id: string;
beforeEach(async () => {
  connection = await makeConnection();
  const { workspaceId } = connection;
  ben = await makeUser('Ben');
  await addMember(workspaceId, ben.id, 'agent');
  const team = await db().team.create({ data: { workspaceId, name: 'Returns' } });
  returns = { id: team.id, name: team.name };
  id = await makeConversation(connection);
});

const api = (...call: Parameters<ReturnType<typeof apiClient>>) =>
  apiClient(service.url, connection.accessToken)(...call);
async function patch(body: object, path = id) {
  const response = await api('PATCH', `/conversations/${path}`, body);
  expect(response, JSON.stringify(body)).toMatchObject({ status: 200 });
  return conversationSchema.parse(response.body);
}
async function search() {
  const { body } = await api('GET', `/conversations/search?id=${id}`);
  return conversationSchema.parse((body as unknown[])[0]);
}

describe('a call with one field changes only that field', () => {
  test.each([
    ['status', () => ({ status: 'pending' }), () => ({ status: 'pending' })],
    ['priority', () => ({ priority: 'urgent' }), () => ({ priority: 'urgent' })],
    ['assignee_id', () => ({ assignee_id: ben.id }), () => ({ assignee: ben })],
    ['team_id', () => ({ team_id: returns.id }), () => ({ team: returns })],
  ])('%s', async (_field, body, expected) => {
    const before = await search();
    const updated = await patch(body());
    expect(updated).toEqual({ ...before, ...expected(), updated_at: expect.any(String) });
    expect(updated.updated_at > before.updated_at).toBe(true);
    expect(await search()).toEqual(updated);
  });

  test('every priority can be set', async () => {
    for (const priority of ['low', 'high', 'urgent', 'normal'] as const) {
      expect((await patch({ priority })).priority).toBe(priority);
    }
  });
});

test('one call can change all four fields', async () => {
  const updated = await patch({
    status: 'solved',
    priority: 'high',
    assignee_id: ben.id,
    team_id: returns.id,
  });
  expect(updated).toMatchObject({ status: 'solved', priority: 'high', assignee: ben, team: returns });
  expect(updated.resolved_at).toBe(updated.updated_at);
  expect(await search()).toEqual(updated);
});

test.each(['none', 'unassigned', ' none '])(
  'assignee_id %j unassigns the conversation',
  async (assignee_id) => {
    expect(await patch({ assignee_id })).toMatchObject({ assignee: null });
    expect(await db().conversation.findUnique({ where: { id } })).toMatchObject({ assignedAt: null });
    expect(await patch({ assignee_id })).toMatchObject({ assignee: null });
  },
);

test.each(['none', 'no_team', ' no_team '])(
  'team_id %j removes the conversation from its team',
  async (team_id) => {
    expect(await patch({ team_id })).toMatchObject({ team: null });
    expect(await patch({ team_id })).toMatchObject({ team: null });
  },
);

test('null, empty and blank fields change nothing', async () => {
  const before = await search();
  for (const blank of [null, '', ' \t\n']) {
    const others = { status: blank, assignee_id: blank, team_id: blank };
    expect(await patch({ ...others, priority: 'high' })).toMatchObject({
      ...before,
      priority: 'high',
      updated_at: expect.any(String),
    });
    expect(await patch({ priority: blank, status: 'pending' })).toMatchObject({
      priority: 'high',
      status: 'pending',
    });
    await patch({ priority: 'normal', status: 'open' });
  }
});

test('current values change nothing, not even updated_at', async () => {
  const before = await search();
  const rows = await rowsOfWorkspace(connection.workspaceId);
  const same = {
    status: 'open',
    priority: 'normal',
    assignee_id: connection.teammate.id,
    team_id: before.team?.id,
  };
  for (const [field, value] of Object.entries(same)) expect(await patch({ [field]: value })).toEqual(before);
  expect(await patch(same)).toEqual(before);
  expect(await rowsOfWorkspace(connection.workspaceId)).toEqual(rows);
});

test('only the values that differ change the conversation', async () => {
  await patch({ status: 'open', priority: 'high', assignee_id: connection.teammate.id });
  const entries = await db().timelineEntry.findMany({ where: { conversationId: id } });
  expect(entries.map(({ kind }) => kind)).toEqual(['priority_changed']);
  expect(await db().event.count({ where: { workspaceId: connection.workspaceId } })).toBe(0);
});

test('ids can be in upper case, and responses have them in lower case', async () => {
  const updated = await patch(
    { status: 'pending', assignee_id: ben.id.toUpperCase(), team_id: returns.id.toUpperCase() },
    id.toUpperCase(),
  );
  expect(updated).toMatchObject({ id, status: 'pending', assignee: ben, team: returns });
  expect(updated.url).toBe(`http://inbox.test/inbox?selected=${id}`);
  expect(await patch({ assignee_id: ben.id.toUpperCase() })).toEqual(updated);
});

test('the id in the path selects the conversation, and unknown fields of the body are ignored', async () => {
  const other = await makeConversation(connection);
  expect(await patch({ id: other, status: 'pending', subject: 'Hijacked', is_test: true })).toMatchObject({
    id,
    status: 'pending',
    subject: 'Order',
  });
  expect(await db().conversation.findUnique({ where: { id: other } })).toMatchObject({ status: 'open' });
});

test('an assignee who became a viewer stays until the assignee changes', async () => {
  await patch({ assignee_id: ben.id });
  await db().member.updateMany({ where: { userId: ben.id }, data: { role: 'viewer' } });
  expect(await patch({ status: 'pending' })).toMatchObject({ status: 'pending', assignee: ben });
  expect(await patch({ assignee_id: 'none' })).toMatchObject({ assignee: null });
});
