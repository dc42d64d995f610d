import { expect } from 'vitest';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { sendReply } from '#server/inbox/messages/send-reply.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { test as conversationTest } from '#test/fixtures/conversation-test.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { addMember, makeConnection, makeUser } from '#test/fixtures/factories.ts';
import type { Api, Connected } from '#test/fixtures/fixture-types.ts';
import { storedConversation } from '#test/fixtures/stored-rows.ts';
import { addTeammate } from '#test/fixtures/teammates.ts';

const test = conversationTest
  .extend('agent', ({ connection }) => addTeammate(connection.workspaceId, 'agent', 'Aggie Agent'))
  .extend('unassigned', ({ connection }) => makeConversation(connection, UNASSIGNED));

test('a reply assigns an unassigned conversation to the connecting teammate and emits an event', async ({
  api,
  connection,
}) => {
  const id = await makeConversation(connection, UNASSIGNED);
  expect((await reply(api, id)).status).toBe(201);
  expect(await storedConversation(id)).toMatchObject({
    assigneeId: connection.teammate.id,
    assignedAt: expect.any(Date),
  });
  expect(await events(connection)).toMatchObject([
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

test('the teammate is not notified of their own assignment', async ({ api, connection }) => {
  await reply(api, await makeConversation(connection, UNASSIGNED));
  expect(await db().notification.count({ where: { workspaceId: connection.workspaceId } })).toBe(0);
});

test('the conversation stays unassigned if the workspace does not assign on reply', async ({
  api,
  connection,
}) => {
  const { workspaceId } = connection;
  await db().workspace.update({ where: { id: workspaceId }, data: { assignOnReply: false } });
  const id = await makeConversation(connection, UNASSIGNED);
  expect((await reply(api, id)).status).toBe(201);
  expect((await storedConversation(id)).assigneeId).toBeNull();
  expect(await assignments(id)).toEqual([]);
  expect(await events(connection)).toEqual([]);
});

test('a conversation of another assignee is not reassigned', async ({ api, connection }) => {
  const { workspaceId } = connection;
  const noor = await makeUser('Noor Nasser');
  await addMember(workspaceId, noor.id, 'agent');
  const id = await makeConversation({ workspaceId, teammate: noor }, { channel: 'webchat' });
  const { assignedAt } = await storedConversation(id);
  expect((await reply(api, id)).status).toBe(201);
  expect(await storedConversation(id)).toMatchObject({ assigneeId: noor.id, assignedAt });
  expect(await assignments(id)).toEqual([]);
  expect(await events(connection)).toEqual([]);
});

test('a conversation of the same assignee is not assigned again', async ({ api, connection }) => {
  const id = await makeConversation(connection, { channel: 'webchat' });
  expect((await reply(api, id)).status).toBe(201);
  expect(await assignments(id)).toEqual([]);
  expect(await events(connection)).toEqual([]);
});

test('a test conversation with the AI agent is assigned without an event', async ({ connection }) => {
  const id = await makeConversation(connection, { ...UNASSIGNED, isTest: true });
  const { workspaceId, teammate } = connection;
  const actor = { kind: 'teammate', teammate } as const;
  await sendReply({ workspaceId, id, actor, content: 'Hello' });
  expect((await storedConversation(id)).assigneeId).toBe(teammate.id);
  expect(await events(connection)).toEqual([]);
});

test('exactly one of four parallel replies assigns the conversation, and all are saved', async ({
  service,
  api,
  connection,
}) => {
  const other = await makeConnection({
    workspaceId: connection.workspaceId,
    teammate: await makeUser('Noor'),
  });
  const apiOfOther = apiClient(service.url, other.accessToken);
  for (let round = 1; round <= 3; round += 1) {
    const id = await makeConversation(connection, UNASSIGNED);
    const responses = await Promise.all(
      [api, apiOfOther, api, apiOfOther].map((caller) => reply(caller, id)),
    );
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(await db().message.count({ where: { conversationId: id } })).toBe(4);
    expect(await events(connection)).toHaveLength(round);
    expect(await assignments(id)).toHaveLength(1);
    expect([connection.teammate.id, other.teammate.id]).toContain((await storedConversation(id)).assigneeId);
  }
});

test('a reply of a teammate who is removed in parallel is refused with a sentence', async ({
  connection: { workspaceId },
  agent,
  unassigned: id,
}) => {
  let replying: Promise<unknown> | undefined;
  await inTransaction(async (tx) => {
    await tx.$executeRaw`select from members where user_id = ${agent.id}::uuid for update`;
    replying = expect(replyAs(agent, workspaceId, id)).rejects.toMatchObject(REFUSED);
    await tx.member.deleteMany({ where: { workspaceId, userId: agent.id } });
  });
  await replying;
  expect(await db().message.count({ where: { conversationId: id } })).toBe(0);
});

test('a reply of a teammate who became a viewer is refused', async ({
  connection: { workspaceId },
  agent,
  unassigned: id,
}) => {
  await db().member.updateMany({ where: { userId: agent.id }, data: { role: 'viewer' } });
  await expect(replyAs(agent, workspaceId, id)).rejects.toMatchObject(REFUSED);
  expect(await db().message.count({ where: { conversationId: id } })).toBe(0);
});

test('replying and removing the author in parallel never fails, and the author keeps no conversation', async ({
  connection: { workspaceId },
  unassigned: id,
}) => {
  for (let round = 0; round < 8; round += 1) {
    const leaving = await addTeammate(workspaceId, 'agent', 'Aggie Agent');
    await db().conversation.update({ where: { id }, data: { assigneeId: null, assignedAt: null } });
    const [replied] = await Promise.allSettled([
      replyAs(leaving, workspaceId, id),
      inTransaction(async (tx) => {
        const whose = { workspaceId, assigneeId: leaving.id };
        await tx.$executeRaw`select from members where user_id = ${leaving.id}::uuid for update`;
        await tx.conversation.updateMany({ where: whose, data: { assigneeId: null, assignedAt: null } });
        await tx.member.deleteMany({ where: { workspaceId, userId: leaving.id } });
      }),
    ]);
    if (replied.status === 'rejected') expect(replied.reason).toMatchObject(REFUSED);
    expect((await db().conversation.findUniqueOrThrow({ where: { id } })).assigneeId).toBeNull();
  }
});

const UNASSIGNED = { assigneeId: null, assignedAt: null, channel: 'webchat' } as const;

const reply = (api: Api, id: string) => api('POST', `/conversations/${id}/replies`, { content: 'Hello' });

const assignments = (conversationId: string) =>
  db().timelineEntry.findMany({ where: { conversationId, kind: 'assigned' } });

async function events(connection: Connected): Promise<Record<string, unknown>[]> {
  const { workspaceId } = connection;
  const rows = await db().event.findMany({ where: { workspaceId }, orderBy: { id: 'asc' } });
  return rows.map(({ body }) => JSON.parse(body));
}

const replyAs = (teammate: Teammate, workspaceId: string, id: string) =>
  sendReply({ workspaceId, id, actor: { kind: 'teammate', teammate }, content: 'Hello' });

const REFUSED = {
  refusal: 'forbidden',
  message: 'Aggie Agent can no longer reply: they have left this workspace or are now a viewer.',
};
