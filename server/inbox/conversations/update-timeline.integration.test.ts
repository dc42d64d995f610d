import { expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { updateConversation } from '#server/inbox/conversations/update-conversation.ts';
import { getConversation } from '#server/screens/inbox/get-conversation.ts';
import { test } from '#test/fixtures/conversation-test.ts';
import type { Api, Connected } from '#test/fixtures/fixture-types.ts';

test.for<[string, (ids: { ben: string; returns: string }) => object, string]>([
  ['a status', () => ({ status: 'pending' }), 'changed the status from open to pending'],
  ['a priority', () => ({ priority: 'urgent' }), 'changed the priority from normal to urgent'],
  ['an assignee', ({ ben }) => ({ assignee_id: ben }), 'assigned this conversation to Ben'],
  ['no assignee', () => ({ assignee_id: 'none' }), 'unassigned this conversation from Olivia Owen'],
  ['a team', ({ returns }) => ({ team_id: returns }), 'moved this conversation to the team Returns'],
])(
  'the inbox shows who set %s through which platform',
  async ([_what, body, sentence], { api, connection, ben, returns, conversation: id }) => {
    await patch(api, id, body({ ben: ben.id, returns: returns.id }));
    expect(await sentences(connection, id)).toEqual([`Olivia Owen ${sentence} through Workflow Platform`]);
  },
);

test('the inbox shows who removed the conversation from which team', async ({
  api,
  connection,
  returns,
  conversation: id,
}) => {
  await patch(api, id, { team_id: returns.id });
  await patch(api, id, { team_id: 'no_team' });
  expect((await sentences(connection, id))[1]).toBe(
    'Olivia Owen removed this conversation from the team Returns through Workflow Platform',
  );
});

test('one call adds an entry for each change in a fixed order, by the teammate’s workflow', async ({
  api,
  connection,
  ben,
  returns,
  conversation: id,
}) => {
  await patch(api, id, { team_id: returns.id, assignee_id: ben.id, priority: 'low', status: 'solved' });
  const { updatedAt } = await db().conversation.findUniqueOrThrow({ where: { id } });
  const by = {
    workspaceId: connection.workspaceId,
    actorKind: 'workflow',
    actorId: connection.teammate.id,
    actorName: 'Olivia Owen',
    connectionId: connection.id,
    createdAt: updatedAt,
  };
  expect(await entries(id)).toMatchObject([
    { ...by, kind: 'status_changed', data: { from: 'open', to: 'solved' } },
    { ...by, kind: 'priority_changed', data: { from: 'normal', to: 'low' } },
    { ...by, kind: 'assigned', data: { assigneeId: ben.id, assigneeName: 'Ben' } },
    { ...by, kind: 'team_set', data: { teamId: returns.id, teamName: 'Returns' } },
  ]);
  expect(await sentences(connection, id)).toHaveLength(4);
});

test('the timeline keeps the old names when a teammate and a team are renamed', async ({
  api,
  connection,
  ben,
  returns,
  conversation: id,
}) => {
  await patch(api, id, { assignee_id: ben.id, team_id: returns.id });
  const before = await sentences(connection, id);
  await db().user.update({ where: { id: ben.id }, data: { name: 'Benjamin' } });
  await db().team.update({ where: { id: returns.id }, data: { name: 'Refunds' } });
  expect(await sentences(connection, id)).toEqual(before);
});

test.for([
  ['teammate', 'Ben changed the status from open to solved'],
  ['automatic', 'The service changed the status from open to solved'],
  ['ai_agent', 'The AI agent changed the status from open to solved'],
  ['flow', 'The automation “Refunds” changed the status from open to solved'],
] as const)(
  'a change by %s has its own sentence without the platform',
  async ([kind, sentence], { connection, ben, conversation: id }) => {
    const actor =
      kind === 'teammate' ? { kind, teammate: ben } : kind === 'flow' ? { kind, name: 'Refunds' } : { kind };
    const { workspaceId } = connection;
    await updateConversation({ workspaceId, id, actor, changes: { status: 'solved' } });
    expect(await sentences(connection, id)).toEqual([sentence]);
  },
);

async function patch(api: Api, id: string, body: object): Promise<void> {
  const response = await api('PATCH', `/conversations/${id}`, body);
  expect(response.status).toBe(200);
}

const entries = (id: string) =>
  db().timelineEntry.findMany({ where: { conversationId: id }, orderBy: { id: 'asc' } });

/** Returns the sentences of the thread in the inbox, oldest first. */
async function sentences(connection: Connected, id: string): Promise<string[]> {
  const view = await getConversation(db(), { workspaceId: connection.workspaceId, id });
  return (view?.items ?? []).map((item) => (item.kind === 'entry' ? item.sentence : item.kind));
}
