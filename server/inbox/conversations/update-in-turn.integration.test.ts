import { beforeEach, describe, expect, test } from 'vitest';
import { pool } from '#server/core/database/pools.ts';
import { db } from '#server/core/database/prisma.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { countLockWaiters } from '#test/database/count-lock-waiters.ts';
import { recordedEvents, recordedEventsOf } from '#test/database/recorded-events.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { addMember, makeConnection, makeUser } from '#test/fixtures/factories.ts';
import { withTestService } from '#test/fixtures/service.ts';
import { until } from '#test/fixtures/until.ts';

const service = withTestService();
let connection: Awaited<ReturnType<typeof makeConnection>>;
let id: string;
beforeEach(async () => {
  connection = await makeConnection();
  id = await makeConversation(connection);
});

const patch = (body: object) =>
  apiClient(service.url, connection.accessToken)('PATCH', `/conversations/${id}`, body);

async function makeAgent(name: string) {
  const user = await makeUser(name);
  await addMember(connection.workspaceId, user.id, 'agent');
  return user;
}

/** Sends a change while another transaction holds an uncommitted change of the row. Returns the response. */
async function patchAfter(sql: string, values: string[], body: object) {
  const client = await pool().connect();
  try {
    await client.query('begin');
    await client.query(sql, values);
    const response = patch(body);
    await until('the call waits for the row', async () => (await countLockWaiters()) === 1);
    await client.query('commit');
    return await response;
  } finally {
    client.release();
  }
}

const ASSIGN = 'update conversations set assignee_id = $2 where id = $1';

describe('a call that waits for a parallel change of the conversation', () => {
  test('emits the assignee set in parallel as the previous assignee', async () => {
    const [ben, cleo] = [await makeAgent('Ben'), await makeAgent('Cleo')];
    const response = await patchAfter(ASSIGN, [id, ben.id], { assignee_id: cleo.id });
    expect(response).toMatchObject({ status: 200, body: { assignee: cleo } });
    const [assigned] = await recordedEventsOf(connection.workspaceId, 'conversation.assigned');
    expect(assigned?.previous_assignee).toEqual(ben);
  });

  test('removes the assignee set in parallel', async () => {
    const ben = await makeAgent('Ben');
    const response = await patchAfter(ASSIGN, [id, ben.id], { assignee_id: 'none' });
    expect(response).toMatchObject({ status: 200, body: { assignee: null } });
  });

  test('removes the team created and set in parallel', async () => {
    const sql = `with made as (
      insert into teams (id, workspace_id, name) values (gen_random_uuid(), $2, 'Returns') returning id
    ) update conversations set team_id = made.id from made where conversations.id = $1`;
    const response = await patchAfter(sql, [id, connection.workspaceId], { team_id: 'none' });
    expect(response).toMatchObject({ status: 200, body: { team: null } });
    const removed = await db().timelineEntry.findFirst({
      where: { conversationId: id, kind: 'team_removed' },
    });
    expect(removed?.data).toEqual({ teamName: 'Returns' });
  });

  test('changes nothing when the parallel change set the same value', async () => {
    const response = await patchAfter("update conversations set status = 'pending' where id = $1", [id], {
      status: 'pending',
    });
    expect(response).toMatchObject({ status: 200, body: { status: 'pending' } });
    expect(await recordedEvents(connection.workspaceId)).toEqual([]);
  });

  test('is refused when the conversation was closed in parallel', async () => {
    const sql = "update conversations set status = 'closed' where id = $1";
    const response = await patchAfter(sql, [id], { status: 'open', priority: 'high' });
    expect(response).toMatchObject({ status: 422, body: { errors: { status: [expect.any(String)] } } });
    expect(await db().conversation.findUnique({ where: { id } })).toMatchObject({ priority: 'normal' });
  });

  test('is refused when the conversation was merged in parallel', async () => {
    const other = await makeConversation(connection);
    const sql = 'update conversations set merged_into_id = $2 where id = $1';
    const response = await patchAfter(sql, [id, other], { status: 'solved' });
    expect(response).toMatchObject({ status: 422, body: { errors: { conversation: [expect.any(String)] } } });
  });

  test('returns 404 when the conversation was deleted in parallel', async () => {
    const response = await patchAfter('delete from conversations where id = $1', [id], { status: 'solved' });
    expect(response.status).toBe(404);
  });
});
