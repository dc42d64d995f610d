import { beforeEach, expect, test } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { addMember, makeConnection, makeUser } from '#test/fixtures/factories.ts';
import { withTestService } from '#test/fixtures/service.ts';

const service = withTestService();
let connection: Awaited<ReturnType<typeof makeConnection>>;
let ben: Awaited<ReturnType<typeof makeUser>>;
/** Assigned to the connecting teammate. */
let id: string;
beforeEach(async () => {
  connection = await makeConnection();
  ben = await makeUser('Ben');
  await addMember(connection.workspaceId, ben.id, 'agent');
  id = await makeConversation(connection);
});

async function patch(body: object): Promise<void> {
  const response = await apiClient(service.url, connection.accessToken)(
    'PATCH',
    `/conversations/${id}`,
    body,
  );
  expect(response.status).toBe(200);
}
const notifications = () =>
  db().notification.findMany({ where: { workspaceId: connection.workspaceId }, orderBy: { id: 'asc' } });

test('the new assignee is notified with the name of the teammate who assigned the conversation', async () => {
  await patch({ assignee_id: ben.id });
  expect(await notifications()).toMatchObject([
    { userId: ben.id, kind: 'assigned', conversationId: id, data: { byName: connection.teammate.name } },
  ]);
});

test('each new assignee of two assignments is notified', async () => {
  const cleo = await makeUser('Cleo');
  await addMember(connection.workspaceId, cleo.id, 'admin');
  await patch({ assignee_id: ben.id });
  await patch({ assignee_id: cleo.id });
  expect((await notifications()).map(({ userId }) => userId)).toEqual([ben.id, cleo.id]);
});

test('the connecting teammate is not notified of the workflow’s assignment to them', async () => {
  await patch({ assignee_id: 'none' });
  await patch({ assignee_id: connection.teammate.id });
  expect(await notifications()).toEqual([]);
});

test('a teammate is notified neither of losing a conversation nor of one that they already have', async () => {
  await db().conversation.update({ where: { id }, data: { assigneeId: ben.id } });
  await patch({ assignee_id: ben.id });
  await patch({ assignee_id: 'none' });
  expect(await notifications()).toEqual([]);
});

test('a change of status, priority or team notifies no one', async () => {
  await db().conversation.update({ where: { id }, data: { assigneeId: ben.id } });
  await patch({ status: 'solved', priority: 'urgent', team_id: 'none' });
  expect(await notifications()).toEqual([]);
});

test('a refused call notifies no one', async () => {
  await db().conversation.update({ where: { id }, data: { status: 'closed' } });
  const api = apiClient(service.url, connection.accessToken);
  const response = await api('PATCH', `/conversations/${id}`, { assignee_id: ben.id, status: 'open' });
  expect(response.status).toBe(422);
  expect(await notifications()).toEqual([]);
});
