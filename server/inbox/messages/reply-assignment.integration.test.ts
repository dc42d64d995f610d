import { beforeEach, expect, test } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { sendReply } from '#server/inbox/messages/send-reply.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { addMember, makeConnection, makeUser } from '#test/fixtures/factories.ts';
import { withTestService } from '#test/fixtures/service.ts';

const service = withTestService();
let connection: Awaited<ReturnType<typeof makeConnection>>;
beforeEach(async () => {
  connection = await makeConnection();
});

const UNASSIGNED = { assigneeId: null, assignedAt: null, channel: 'webchat' } as const;
const reply = (id: string, { accessToken } = connection) =>
  apiClient(service.url, accessToken)('POST', `/conversations/${id}/replies`, { content: 'Hello' });
const found = (id: string) => db().conversation.findUniqueOrThrow({ where: { id } });
const assignments = (conversationId: string) =>
  db().timelineEntry.findMany({ where: { conversationId, kind: 'assigned' } });

async function events(): Promise<Record<string, unknown>[]> {
  const { workspaceId } = connection;
  const rows = await db().event.findMany({ where: { workspaceId }, orderBy: { id: 'asc' } });
  return rows.map(({ body }) => JSON.parse(body));
}

test('a reply assigns an unassigned conversation to the connecting teammate and emits an event', async () => {
  const id = await makeConversation(connection, UNASSIGNED);
  expect((await reply(id)).status).toBe(201);
  expect(await found(id)).toMatchObject({
    assigneeId: connection.teammate.id,
    assignedAt: expect.any(Date),
  });
  expect(await events()).toMatchObject([
    {
      event: 'conversation.assigned',
      conversation: { id, assignee: connection.teammate, status: 'open' },
      previous_assignee: null,
    },
  ]);
  expect(await assignments(id)).toMatchObject([
    {
      actorKind: 'workflow',
      actorId: connection.teammate.id,
      actorName: connection.teammate.name,
      connectionId: connection.id,
      data: { assigneeId: connection.teammate.id, assigneeName: connection.teammate.name },
    },
  ]);
});

test('the teammate is not notified of their own assignment', async () => {
  await reply(await makeConversation(connection, UNASSIGNED));
  expect(await db().notification.count({ where: { workspaceId: connection.workspaceId } })).toBe(0);
});

test('the conversation stays unassigned if the workspace does not assign on reply', async () => {
  const { workspaceId } = connection;
  await db().workspace.update({ where: { id: workspaceId }, data: { assignOnReply: false } });
  const id = await makeConversation(connection, UNASSIGNED);
  expect((await reply(id)).status).toBe(201);
  expect((await found(id)).assigneeId).toBeNull();
  expect(await assignments(id)).toEqual([]);
  expect(await events()).toEqual([]);
});

test('a conversation of another assignee is not reassigned', async () => {
  const { workspaceId } = connection;
  const noor = await makeUser('Noor Nasser');
  await addMember(workspaceId, noor.id, 'agent');
  const id = await makeConversation({ workspaceId, teammate: noor }, { channel: 'webchat' });
  const { assignedAt } = await found(id);
  expect((await reply(id)).status).toBe(201);
  expect(await found(id)).toMatchObject({ assigneeId: noor.id, assignedAt });
  expect(await assignments(id)).toEqual([]);
  expect(await events()).toEqual([]);
});

test('a conversation of the same assignee is not assigned again', async () => {
  const id = await makeConversation(connection, { channel: 'webchat' });
  expect((await reply(id)).status).toBe(201);
  expect(await assignments(id)).toEqual([]);
  expect(await events()).toEqual([]);
});

test('a test conversation with the AI agent is assigned without an event', async () => {
  const id = await makeConversation(connection, { ...UNASSIGNED, isTest: true });
  const { workspaceId, teammate } = connection;
  const actor = { kind: 'teammate', teammate } as const;
  await sendReply({ workspaceId, id, actor, content: 'Hello' });
  expect((await found(id)).assigneeId).toBe(teammate.id);
  expect(await events()).toEqual([]);
});

test('exactly one of four parallel replies assigns the conversation, and all are saved', async () => {
  const other = await makeConnection({
    workspaceId: connection.workspaceId,
    teammate: await makeUser('Noor'),
  });
  for (let round = 1; round <= 3; round += 1) {
    const id = await makeConversation(connection, UNASSIGNED);
    const responses = await Promise.all(
      [connection, other, connection, other].map((caller) => reply(id, caller)),
    );
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(await db().message.count({ where: { conversationId: id } })).toBe(4);
    expect(await events()).toHaveLength(round);
    expect(await assignments(id)).toHaveLength(1);
    expect([connection.teammate.id, other.teammate.id]).toContain((await found(id)).assigneeId);
  }
});
