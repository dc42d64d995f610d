import { beforeEach, describe, expect, test } from 'vitest';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { db } from '#server/core/database/prisma.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { recordedEvents, recordedEventsOf } from '#test/database/recorded-events.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { addMember, makeConnection, makeUser } from '#test/fixtures/factories.ts';
import { withTestService } from '#test/fixtures/service.ts';

const service = withTestService();
let connection: Awaited<ReturnType<typeof makeConnection>>;
let id: string;
beforeEach(async () => {
  connection = await makeConnection();
  id = await makeConversation(connection);
});

const patch = (body: object) =>
  apiClient(service.url, connection.accessToken)('PATCH', `/conversations/${id}`, body);
const row = () => db().conversation.findUniqueOrThrow({ where: { id } });

async function makeAgent(name: string): Promise<Teammate> {
  const user = await makeUser(name);
  await addMember(connection.workspaceId, user.id, 'agent');
  return user;
}

describe('twenty parallel calls on one conversation', () => {
  test('all succeed, and their status events form one chain', async () => {
    const statuses = Array.from({ length: 20 }, (_, i) => (['pending', 'solved', 'open'] as const)[i % 3]);
    const responses = await Promise.all(statuses.map((status) => patch({ status })));
    expect(responses.map(({ status }) => status)).toEqual(statuses.map(() => 200));
    for (const [i, { body }] of responses.entries()) expect(body).toMatchObject({ status: statuses[i] });

    const events = await recordedEventsOf(connection.workspaceId, 'conversation.status_changed');
    const chain = ['open', ...events.map(({ conversation }) => conversation.status)];
    expect(events.map(({ previous_status }) => previous_status)).toEqual(chain.slice(0, -1));
    for (const [i, status] of chain.entries()) expect(status).not.toBe(chain[i + 1]);
    expect((await row()).status).toBe(chain.at(-1));
    expect(await db().timelineEntry.count({ where: { conversationId: id } })).toBe(events.length);
  });

  test('that set different assignees emit the right previous assignee with each change', async () => {
    const agents = await Promise.all(['Ann', 'Ben', 'Cleo', 'Dan'].map(makeAgent));
    const calls = Array.from({ length: 20 }, (_, i) => agents[i % 4]?.id ?? '');
    const responses = await Promise.all(calls.map((assignee_id) => patch({ assignee_id })));
    expect(responses.map(({ status }) => status)).toEqual(calls.map(() => 200));

    const events = await recordedEventsOf(connection.workspaceId, 'conversation.assigned');
    const chain = [connection.teammate.id, ...events.map(({ conversation }) => conversation.assignee?.id)];
    expect(events.map(({ previous_assignee }) => previous_assignee?.id)).toEqual(chain.slice(0, -1));
    expect((await row()).assigneeId).toBe(chain.at(-1));
    expect(await db().notification.count({ where: { conversationId: id } })).toBe(events.length);
  });

  test('that change different fields lose no change', async () => {
    const ben = await makeAgent('Ben');
    const changes = { status: 'solved', priority: 'high', assignee_id: ben.id, team_id: 'none' };
    const calls = Object.entries(changes).map(([field, value]) => ({ [field]: value }));
    const responses = await Promise.all([...calls, ...calls, ...calls, ...calls, ...calls].map(patch));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await row()).toMatchObject({
      status: 'solved',
      priority: 'high',
      assigneeId: ben.id,
      teamId: null,
    });
    expect(await db().timelineEntry.count({ where: { conversationId: id } })).toBe(4);
    expect(await recordedEvents(connection.workspaceId)).toHaveLength(2);
  });

  test('of which some close it either succeed or report that it stays closed', async () => {
    const statuses = Array.from(
      { length: 20 },
      (_, i) => (['closed', 'pending', 'solved', 'open'] as const)[i % 4],
    );
    const responses = await Promise.all(statuses.map((status) => patch({ status })));
    for (const [i, response] of responses.entries()) {
      if (response.status === 200) expect(response.body).toMatchObject({ status: statuses[i] });
      else
        expect(response).toMatchObject({ status: 422, body: { errors: { status: [expect.any(String)] } } });
    }
    expect((await row()).status).toBe('closed');
    const events = await recordedEventsOf(connection.workspaceId, 'conversation.status_changed');
    expect(events.filter(({ conversation }) => conversation.status === 'closed')).toHaveLength(1);
    expect(events.at(-1)?.conversation.status).toBe('closed');
  });
});
