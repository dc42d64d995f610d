import { describe, expect } from 'vitest';
import { pool } from '#server/core/database/pools.ts';
import { db } from '#server/core/database/prisma.ts';
import { countLockWaiters } from '#test/database/count-lock-waiters.ts';
import { recordedEvents, recordedEventsOf } from '#test/database/recorded-events.ts';
import { test } from '#test/fixtures/conversation-test.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import type { Api, Connected } from '#test/fixtures/fixture-types.ts';
import { storedConversation } from '#test/fixtures/stored-rows.ts';
import { addTeammate } from '#test/fixtures/teammates.ts';
import { until } from '#test/fixtures/until.ts';

describe('twenty parallel calls on one conversation', () => {
  test('all succeed, and their status events form one chain', async ({
    api,
    connection,
    conversation: id,
  }) => {
    const statuses = Array.from({ length: 20 }, (_, i) => (['pending', 'solved', 'open'] as const)[i % 3]);
    const responses = await Promise.all(statuses.map((status) => patch(api, id, { status })));
    expect(responses.map(({ status }) => status)).toEqual(statuses.map(() => 200));
    for (const [i, { body }] of responses.entries()) expect(body).toMatchObject({ status: statuses[i] });

    const events = await recordedEventsOf(connection.workspaceId, 'conversation.status_changed');
    const chain = ['open', ...events.map(({ conversation }) => conversation.status)];
    expect(events.map(({ previous_status }) => previous_status)).toEqual(chain.slice(0, -1));
    for (const [i, status] of chain.entries()) expect(status).not.toBe(chain[i + 1]);
    expect((await storedConversation(id)).status).toBe(chain.at(-1));
    expect(await db().timelineEntry.count({ where: { conversationId: id } })).toBe(events.length);
  });

  test('that set different assignees emit the right previous assignee with each change', async ({
    api,
    connection,
    conversation: id,
  }) => {
    const agents = await Promise.all(
      ['Ann', 'Ben', 'Cleo', 'Dan'].map((name) => makeAgent(connection, name)),
    );
    const calls = Array.from({ length: 20 }, (_, i) => agents[i % 4]?.id ?? '');
    const responses = await Promise.all(calls.map((assignee_id) => patch(api, id, { assignee_id })));
    expect(responses.map(({ status }) => status)).toEqual(calls.map(() => 200));

    const events = await recordedEventsOf(connection.workspaceId, 'conversation.assigned');
    const chain = [connection.teammate.id, ...events.map(({ conversation }) => conversation.assignee?.id)];
    expect(events.map(({ previous_assignee }) => previous_assignee?.id)).toEqual(chain.slice(0, -1));
    expect((await storedConversation(id)).assigneeId).toBe(chain.at(-1));
    expect(await db().notification.count({ where: { conversationId: id } })).toBe(events.length);
  });

  test('that change different fields lose no change', async ({ api, connection, conversation: id }) => {
    const ben = await makeAgent(connection, 'Ben');
    const changes = { status: 'solved', priority: 'high', assignee_id: ben.id, team_id: 'none' };
    const calls = Object.entries(changes).map(([field, value]) => ({ [field]: value }));
    const responses = await Promise.all(
      [...calls, ...calls, ...calls, ...calls, ...calls].map((body) => patch(api, id, body)),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await storedConversation(id)).toMatchObject({
      status: 'solved',
      priority: 'high',
      assigneeId: ben.id,
      teamId: null,
    });
    expect(await db().timelineEntry.count({ where: { conversationId: id } })).toBe(4);
    expect(await recordedEvents(connection.workspaceId)).toHaveLength(2);
  });

  test('that partly close the conversation either succeed or report that it stays closed', async ({
    api,
    connection,
    conversation: id,
  }) => {
    const statuses = Array.from(
      { length: 20 },
      (_, i) => (['closed', 'pending', 'solved', 'open'] as const)[i % 4],
    );
    const responses = await Promise.all(statuses.map((status) => patch(api, id, { status })));
    for (const [i, response] of responses.entries()) {
      if (response.status === 200) expect(response.body).toMatchObject({ status: statuses[i] });
      else
        expect(response).toMatchObject({ status: 422, body: { errors: { status: [expect.any(String)] } } });
    }
    expect((await storedConversation(id)).status).toBe('closed');
    const events = await recordedEventsOf(connection.workspaceId, 'conversation.status_changed');
    expect(events.filter(({ conversation }) => conversation.status === 'closed')).toHaveLength(1);
    expect(events.at(-1)?.conversation.status).toBe('closed');
  });
});

describe('a call that waits for a parallel change of the conversation', () => {
  test('emits the assignee set in parallel as the previous assignee', async ({
    api,
    connection,
    conversation: id,
  }) => {
    const [ben, cleo] = [await makeAgent(connection, 'Ben'), await makeAgent(connection, 'Cleo')];
    const response = await patchAfter(api, id, ASSIGN, [id, ben.id], { assignee_id: cleo.id });
    expect(response).toMatchObject({ status: 200, body: { assignee: cleo } });
    const [assigned] = await recordedEventsOf(connection.workspaceId, 'conversation.assigned');
    expect(assigned?.previous_assignee).toEqual(ben);
  });

  test('removes the assignee set in parallel', async ({ api, connection, conversation: id }) => {
    const ben = await makeAgent(connection, 'Ben');
    const response = await patchAfter(api, id, ASSIGN, [id, ben.id], { assignee_id: 'none' });
    expect(response).toMatchObject({ status: 200, body: { assignee: null } });
  });

  test('removes the team created and set in parallel', async ({ api, connection, conversation: id }) => {
    const sql = `with made as (
      insert into teams (id, workspace_id, name) values (gen_random_uuid(), $2, 'Returns') returning id
    ) update conversations set team_id = made.id from made where conversations.id = $1`;
    const response = await patchAfter(api, id, sql, [id, connection.workspaceId], { team_id: 'none' });
    expect(response).toMatchObject({ status: 200, body: { team: null } });
    const removed = await db().timelineEntry.findFirst({
      where: { conversationId: id, kind: 'team_removed' },
    });
    expect(removed?.data).toEqual({ teamName: 'Returns' });
  });

  test('changes nothing when the parallel change set the same value', async ({
    api,
    connection,
    conversation: id,
  }) => {
    const response = await patchAfter(
      api,
      id,
      "update conversations set status = 'pending' where id = $1",
      [id],
      {
        status: 'pending',
      },
    );
    expect(response).toMatchObject({ status: 200, body: { status: 'pending' } });
    expect(await recordedEvents(connection.workspaceId)).toEqual([]);
  });

  test('is refused when the conversation was closed in parallel', async ({ api, conversation: id }) => {
    const sql = "update conversations set status = 'closed' where id = $1";
    const response = await patchAfter(api, id, sql, [id], { status: 'open', priority: 'high' });
    expect(response).toMatchObject({ status: 422, body: { errors: { status: [expect.any(String)] } } });
    expect(await db().conversation.findUnique({ where: { id } })).toMatchObject({ priority: 'normal' });
  });

  test('is refused when the conversation was merged in parallel', async ({
    api,
    connection,
    conversation: id,
  }) => {
    const other = await makeConversation(connection);
    const sql = 'update conversations set merged_into_id = $2 where id = $1';
    const response = await patchAfter(api, id, sql, [id, other], { status: 'solved' });
    expect(response).toMatchObject({ status: 422, body: { errors: { conversation: [expect.any(String)] } } });
  });

  test('returns 404 when the conversation was deleted in parallel', async ({ api, conversation: id }) => {
    const response = await patchAfter(api, id, 'delete from conversations where id = $1', [id], {
      status: 'solved',
    });
    expect(response.status).toBe(404);
  });
});

const patch = (api: Api, id: string, body: object) => api('PATCH', `/conversations/${id}`, body);

const makeAgent = ({ workspaceId }: Connected, name: string) => addTeammate(workspaceId, 'agent', name);

/** Sends a change while another transaction holds an uncommitted change of the row. Returns the response. */
async function patchAfter(api: Api, id: string, sql: string, values: string[], body: object) {
  const client = await pool().connect();
  try {
    await client.query('begin');
    await client.query(sql, values);
    const response = patch(api, id, body);
    await until('the call waits for the row', async () => (await countLockWaiters()) === 1);
    await client.query('commit');
    return await response;
  } finally {
    client.release();
  }
}

const ASSIGN = 'update conversations set assignee_id = $2 where id = $1';
