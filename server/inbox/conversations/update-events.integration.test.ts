import { beforeEach, describe, expect, test } from 'vitest';
import { conversationSchema } from '#server/contract/record-schemas.ts';
import { db } from '#server/core/database/prisma.ts';
import { updateConversation } from '#server/inbox/conversations/update-conversation.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { eventsToFanOut, recordedEvents } from '#test/database/recorded-events.ts';
import { type ConversationColumns, makeConversation } from '#test/fixtures/conversations.ts';
import { addMember, makeConnection, makeUser } from '#test/fixtures/factories.ts';
import { forgetJobs } from '#test/fixtures/queued-jobs.ts';
import { withTestService } from '#test/fixtures/service.ts';

const service = withTestService();
let connection: Awaited<ReturnType<typeof makeConnection>>;
let ben: Awaited<ReturnType<typeof makeUser>>;
beforeEach(async () => {
  await forgetJobs();
  connection = await makeConnection();
  ben = await makeUser('Ben');
  await addMember(connection.workspaceId, ben.id, 'agent');
});

/** Columns of a conversation without an assignee. */
const UNASSIGNED: ConversationColumns = { assigneeId: null, assignedAt: null };

async function patch(id: string, body: object) {
  const response = await apiClient(service.url, connection.accessToken)(
    'PATCH',
    `/conversations/${id}`,
    body,
  );
  expect(response.status).toBe(200);
  return conversationSchema.parse(response.body);
}
const events = () => recordedEvents(connection.workspaceId);

describe('conversation.assigned', () => {
  test('has the conversation of the response, and null as the previous assignee of an unassigned one', async () => {
    const id = await makeConversation(connection, UNASSIGNED);
    const conversation = await patch(id, { assignee_id: ben.id });
    expect(conversation.assignee).toEqual(ben);
    const envelope = { id: expect.any(String), occurred_at: conversation.updated_at };
    expect(await events()).toEqual([
      { ...envelope, event: 'conversation.assigned', conversation, previous_assignee: null },
    ]);
  });

  test('has the previous assignee, also when the connecting teammate is the new one', async () => {
    const id = await makeConversation(connection);
    await patch(id, { assignee_id: ben.id });
    await patch(id, { assignee_id: connection.teammate.id });
    expect(await events()).toMatchObject([
      { conversation: { assignee: ben }, previous_assignee: connection.teammate },
      { conversation: { assignee: connection.teammate }, previous_assignee: ben },
    ]);
  });

  test('is not emitted for unassigning, after which the next assignment has no previous assignee', async () => {
    const id = await makeConversation(connection);
    await patch(id, { assignee_id: 'unassigned' });
    expect(await events()).toEqual([]);
    await patch(id, { assignee_id: ben.id });
    expect(await events()).toMatchObject([{ event: 'conversation.assigned', previous_assignee: null }]);
  });
});

test('changes of priority and team emit no event and queue no job', async () => {
  const id = await makeConversation(connection);
  await patch(id, { priority: 'urgent', team_id: 'none' });
  expect(await events()).toEqual([]);
  expect(await eventsToFanOut()).toEqual([]);
});

test('one call emits status_changed before assigned, both with the updated conversation', async () => {
  const id = await makeConversation(connection);
  const body = { assignee_id: ben.id, team_id: 'none', priority: 'high', status: 'pending' };
  const conversation = await patch(id, body);
  const recorded = await events();
  expect(recorded).toMatchObject([
    { event: 'conversation.status_changed', conversation, previous_status: 'open' },
    { event: 'conversation.assigned', conversation, previous_assignee: connection.teammate },
  ]);
  const eventIds = recorded.map((event) => event.id);
  expect(eventIds.toSorted()).toEqual(eventIds);
  expect(await eventsToFanOut()).toEqual(eventIds);
});

test('the status filter of a hook is compared with the new status', async () => {
  const id = await makeConversation(connection);
  await patch(id, { status: 'solved' });
  const [event] = await db().event.findMany({ where: { workspaceId: connection.workspaceId } });
  expect(event).toMatchObject({ key: 'conversation.status_changed', filterValues: ['solved'] });
});

test('the event of each call has the status right before', async () => {
  const id = await makeConversation(connection);
  for (const status of ['pending', 'pending', 'solved', 'open', 'closed']) await patch(id, { status });
  expect(await events()).toMatchObject([
    { previous_status: 'open', conversation: { status: 'pending' } },
    { previous_status: 'pending', conversation: { status: 'solved' } },
    { previous_status: 'solved', conversation: { status: 'open' } },
    { previous_status: 'open', conversation: { status: 'closed' } },
  ]);
});

test('a test conversation with the AI agent gets timeline entries, but emits no events', async () => {
  const id = await makeConversation(connection, { isTest: true });
  const changed = await updateConversation({
    workspaceId: connection.workspaceId,
    id,
    actor: { kind: 'teammate', teammate: connection.teammate },
    changes: { status: 'solved', assigneeId: ben.id },
  });
  expect(changed).toMatchObject({ status: 'solved', assignee: ben });
  expect(await db().timelineEntry.count({ where: { conversationId: id } })).toBe(2);
  expect(await events()).toEqual([]);
  expect(await eventsToFanOut()).toEqual([]);
});

test('one change is one event, also with two connections in the workspace', async () => {
  await makeConnection({ workspaceId: connection.workspaceId });
  const abroad = await makeConnection();
  const id = await makeConversation(connection);
  await patch(id, { status: 'pending' });
  expect(await events()).toHaveLength(1);
  expect(await recordedEvents(abroad.workspaceId)).toEqual([]);
});
