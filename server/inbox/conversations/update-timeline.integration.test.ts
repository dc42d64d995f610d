import { beforeAll, beforeEach, expect, test } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { updateConversation } from '#server/inbox/conversations/update-conversation.ts';
import { getConversation } from '#server/screens/inbox/get-conversation.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { addMember, makeConnection, makeUser } from '#test/fixtures/factories.ts';
import { withTestService } from '#test/fixtures/service.ts';

const service = withTestService();
let connection: Awaited<ReturnType<typeof makeConnection>>;
let ben: Awaited<ReturnType<typeof makeUser>>;
let returns: { id: string; name: string };
/** Assigned to Olivia Owen, who connected, and in the team Support. */
let id: string;
beforeAll(async () => {
  connection = await makeConnection();
  ben = await makeUser('Ben Bright');
  const { workspaceId } = connection;
  await addMember(workspaceId, ben.id, 'agent');
  returns = await db().team.create({ data: { workspaceId, name: 'Returns' } });
});
beforeEach(async () => {
  const { workspaceId } = connection;
  const teamId = (await db().team.create({ data: { workspaceId, name: `Support ${Math.random()}` } })).id;
  id = await makeConversation(connection, { teamId });
});

async function patch(body: object): Promise<void> {
  const response = await apiClient(service.url, connection.accessToken)(
    'PATCH',
    `/conversations/${id}`,
    body,
  );
  expect(response.status).toBe(200);
}
const entries = () => db().timelineEntry.findMany({ where: { conversationId: id }, orderBy: { id: 'asc' } });
/** Returns the sentences of the thread in the inbox, oldest first. */
async function sentences(): Promise<string[]> {
  const view = await getConversation(db(), { workspaceId: connection.workspaceId, id });
  return (view?.items ?? []).map((item) => (item.kind === 'entry' ? item.sentence : item.kind));
}

test.each<[string, () => object, () => string]>([
  ['a status', () => ({ status: 'pending' }), () => 'changed the status from open to pending'],
  ['a priority', () => ({ priority: 'urgent' }), () => 'changed the priority from normal to urgent'],
  ['an assignee', () => ({ assignee_id: ben.id }), () => 'assigned this conversation to Ben Bright'],
  ['no assignee', () => ({ assignee_id: 'none' }), () => 'unassigned this conversation from Olivia Owen'],
  ['a team', () => ({ team_id: returns.id }), () => 'moved this conversation to the team Returns'],
])('the inbox shows who set %s through which platform', async (_what, body, sentence) => {
  await patch(body());
  expect(await sentences()).toEqual([`Olivia Owen ${sentence()} through Workflow Platform`]);
});

test('the inbox shows who removed the conversation from which team', async () => {
  await patch({ team_id: returns.id });
  await patch({ team_id: 'no_team' });
  expect((await sentences())[1]).toBe(
    'Olivia Owen removed this conversation from the team Returns through Workflow Platform',
  );
});

test('one call adds an entry for each change in a fixed order, by the teammate’s workflow', async () => {
  await patch({ team_id: returns.id, assignee_id: ben.id, priority: 'low', status: 'solved' });
  const { updatedAt } = await db().conversation.findUniqueOrThrow({ where: { id } });
  const by = {
    workspaceId: connection.workspaceId,
    actorKind: 'workflow',
    actorId: connection.teammate.id,
    actorName: 'Olivia Owen',
    connectionId: connection.id,
    createdAt: updatedAt,
  };
  expect(await entries()).toMatchObject([
    { ...by, kind: 'status_changed', data: { from: 'open', to: 'solved' } },
    { ...by, kind: 'priority_changed', data: { from: 'normal', to: 'low' } },
    { ...by, kind: 'assigned', data: { assigneeId: ben.id, assigneeName: 'Ben Bright' } },
    { ...by, kind: 'team_set', data: { teamId: returns.id, teamName: 'Returns' } },
  ]);
  expect(await sentences()).toHaveLength(4);
});

test('the timeline keeps the old names when a teammate and a team are renamed', async () => {
  await patch({ assignee_id: ben.id, team_id: returns.id });
  const before = await sentences();
  await db().user.update({ where: { id: ben.id }, data: { name: 'Benjamin' } });
  await db().team.update({ where: { id: returns.id }, data: { name: 'Refunds' } });
  expect(await sentences()).toEqual(before);
  await db().user.update({ where: { id: ben.id }, data: { name: 'Ben Bright' } });
  await db().team.update({ where: { id: returns.id }, data: { name: 'Returns' } });
});

test.each([
  ['teammate', 'Ben Bright changed the status from open to solved'],
  ['automatic', 'The service changed the status from open to solved'],
  ['ai_agent', 'The AI agent changed the status from open to solved'],
  ['flow', 'An automation changed the status from open to solved'],
] as const)('a change by %s has its own sentence without the platform', async (kind, sentence) => {
  const actor = kind === 'teammate' ? { kind, teammate: ben } : { kind };
  const { workspaceId } = connection;
  await updateConversation({ workspaceId, id, actor, changes: { status: 'solved' } });
  expect(await sentences()).toEqual([sentence]);
});
