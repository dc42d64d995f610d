import { describe, expect } from 'vitest';
import { conversationSchema } from '#server/contract/record-schemas.ts';
import { db } from '#server/core/database/prisma.ts';
import { updateConversation } from '#server/inbox/conversations/update-conversation.ts';
import { eventsToFanOut, recordedEvents } from '#test/database/recorded-events.ts';
import { test } from '#test/fixtures/conversation-test.ts';
import { type ConversationColumns, makeConversation } from '#test/fixtures/conversations.ts';
import { addMember, makeConnection, makeUser } from '#test/fixtures/factories.ts';
import type { Api, Connected } from '#test/fixtures/fixture-types.ts';
import { forgetJobs } from '#test/fixtures/queued-jobs.ts';

test.beforeEach(async ({ service: _ }) => forgetJobs());

describe('conversation.assigned', () => {
  test('has the conversation of the response, and null as the previous assignee of an unassigned one', async ({
    api,
    connection,
    ben,
  }) => {
    const id = await makeConversation(connection, UNASSIGNED);
    const conversation = await patch(api, id, { assignee_id: ben.id });
    expect(conversation.assignee).toEqual(ben);
    const envelope = { id: expect.any(String), occurred_at: conversation.updated_at };
    expect(await events(connection)).toEqual([
      { ...envelope, event: 'conversation.assigned', conversation, previous_assignee: null },
    ]);
  });

  test('has the previous assignee, even when the connecting teammate is the new one', async ({
    api,
    connection,
    ben,
  }) => {
    const id = await makeConversation(connection);
    await patch(api, id, { assignee_id: ben.id });
    await patch(api, id, { assignee_id: connection.teammate.id });
    expect(await events(connection)).toMatchObject([
      { conversation: { assignee: ben }, previous_assignee: connection.teammate },
      { conversation: { assignee: connection.teammate }, previous_assignee: ben },
    ]);
  });

  test('is not emitted for unassigning, after which the next assignment has no previous assignee', async ({
    api,
    connection,
    ben,
  }) => {
    const id = await makeConversation(connection);
    await patch(api, id, { assignee_id: 'unassigned' });
    expect(await events(connection)).toEqual([]);
    await patch(api, id, { assignee_id: ben.id });
    expect(await events(connection)).toMatchObject([
      { event: 'conversation.assigned', previous_assignee: null },
    ]);
  });
});

test('changes of priority and team emit no event and queue no job', async ({ api, connection }) => {
  const id = await makeConversation(connection);
  await patch(api, id, { priority: 'urgent', team_id: 'none' });
  expect(await events(connection)).toEqual([]);
  expect(await eventsToFanOut()).toEqual([]);
});

test('one call emits status_changed before assigned, both with the updated conversation', async ({
  api,
  connection,
  ben,
}) => {
  const id = await makeConversation(connection);
  const body = { assignee_id: ben.id, team_id: 'none', priority: 'high', status: 'pending' };
  const conversation = await patch(api, id, body);
  const recorded = await events(connection);
  expect(recorded).toMatchObject([
    { event: 'conversation.status_changed', conversation, previous_status: 'open' },
    { event: 'conversation.assigned', conversation, previous_assignee: connection.teammate },
  ]);
  const eventIds = recorded.map((event) => event.id);
  expect(eventIds.toSorted()).toEqual(eventIds);
  expect(await eventsToFanOut()).toEqual(eventIds);
});

test('the status filter of a hook is compared with the new status', async ({ api, connection }) => {
  const id = await makeConversation(connection);
  await patch(api, id, { status: 'solved' });
  const [event] = await db().event.findMany({ where: { workspaceId: connection.workspaceId } });
  expect(event).toMatchObject({ key: 'conversation.status_changed', filterValues: ['solved'] });
});

test('the event of each call has the status right before', async ({ api, connection }) => {
  const id = await makeConversation(connection);
  for (const status of ['pending', 'pending', 'solved', 'open', 'closed']) await patch(api, id, { status });
  expect(await events(connection)).toMatchObject([
    { previous_status: 'open', conversation: { status: 'pending' } },
    { previous_status: 'pending', conversation: { status: 'solved' } },
    { previous_status: 'solved', conversation: { status: 'open' } },
    { previous_status: 'open', conversation: { status: 'closed' } },
  ]);
});

test('a test conversation with the AI agent gets timeline entries, but emits no events', async ({
  connection,
  ben,
}) => {
  const id = await makeConversation(connection, { isTest: true });
  const changed = await updateConversation({
    workspaceId: connection.workspaceId,
    id,
    actor: { kind: 'teammate', teammate: connection.teammate },
    changes: { status: 'solved', assigneeId: ben.id },
  });
  expect(changed).toMatchObject({ status: 'solved', assignee: ben });
  expect(await db().timelineEntry.count({ where: { conversationId: id } })).toBe(2);
  expect(await events(connection)).toEqual([]);
  expect(await eventsToFanOut()).toEqual([]);
});

test('one change is one event, even with two connections in the workspace', async ({
  api,
  connection,
  stranger,
}) => {
  await makeConnection({ workspaceId: connection.workspaceId });
  const id = await makeConversation(connection);
  await patch(api, id, { status: 'pending' });
  expect(await events(connection)).toHaveLength(1);
  expect(await recordedEvents(stranger.workspaceId)).toEqual([]);
});

describe('notifications', () => {
  test('the new assignee is notified with the name of the teammate who assigned the conversation', async ({
    api,
    connection,
    ben,
    conversation: id,
  }) => {
    await patch(api, id, { assignee_id: ben.id });
    expect(await notifications(connection)).toMatchObject([
      { userId: ben.id, kind: 'assigned', conversationId: id, data: { byName: connection.teammate.name } },
    ]);
  });

  test('each new assignee of two assignments is notified', async ({
    api,
    connection,
    ben,
    conversation: id,
  }) => {
    const cleo = await makeUser('Cleo');
    await addMember(connection.workspaceId, cleo.id, 'admin');
    await patch(api, id, { assignee_id: ben.id });
    await patch(api, id, { assignee_id: cleo.id });
    expect((await notifications(connection)).map(({ userId }) => userId)).toEqual([ben.id, cleo.id]);
  });

  test('the connecting teammate is not notified of the workflow’s assignment to them', async ({
    api,
    connection,
    conversation: id,
  }) => {
    await patch(api, id, { assignee_id: 'none' });
    await patch(api, id, { assignee_id: connection.teammate.id });
    expect(await notifications(connection)).toEqual([]);
  });

  test('a teammate is notified neither of losing a conversation nor of one that they already have', async ({
    api,
    connection,
    ben,
    conversation: id,
  }) => {
    await db().conversation.update({ where: { id }, data: { assigneeId: ben.id } });
    await patch(api, id, { assignee_id: ben.id });
    await patch(api, id, { assignee_id: 'none' });
    expect(await notifications(connection)).toEqual([]);
  });

  test('a change of status, priority or team notifies no one', async ({
    api,
    connection,
    ben,
    conversation: id,
  }) => {
    await db().conversation.update({ where: { id }, data: { assigneeId: ben.id } });
    await patch(api, id, { status: 'solved', priority: 'urgent', team_id: 'none' });
    expect(await notifications(connection)).toEqual([]);
  });

  test('a refused call notifies no one', async ({ api, connection, ben, conversation: id }) => {
    await db().conversation.update({ where: { id }, data: { status: 'closed' } });
    const response = await api('PATCH', `/conversations/${id}`, { assignee_id: ben.id, status: 'open' });
    expect(response.status).toBe(422);
    expect(await notifications(connection)).toEqual([]);
  });
});

/** Columns of a conversation without an assignee. */
const UNASSIGNED: ConversationColumns = { assigneeId: null, assignedAt: null };

async function patch(api: Api, id: string, body: object) {
  const response = await api('PATCH', `/conversations/${id}`, body);
  expect(response.status).toBe(200);
  return conversationSchema.parse(response.body);
}

const events = (connection: Connected) => recordedEvents(connection.workspaceId);

const notifications = (connection: Connected) =>
  db().notification.findMany({ where: { workspaceId: connection.workspaceId }, orderBy: { id: 'asc' } });
