import type { PoolClient } from 'pg';
import { describe, expect } from 'vitest';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { pool } from '#server/core/database/pools.ts';
import { inTransaction } from '#server/core/database/prisma.ts';
import { countLockWaiters } from '#test/database/count-lock-waiters.ts';
import { ON_PURPOSE } from '#test/database/deadlocks.ts';
import { test } from '#test/fixtures/conversation-test.ts';
import type { Api } from '#test/fixtures/fixture-types.ts';
import { storedConversation } from '#test/fixtures/stored-rows.ts';
import { addTeammate } from '#test/fixtures/teammates.ts';
import { until } from '#test/fixtures/until.ts';

const LOCK_MEMBER = 'select from members where user_id = $1 for update';
const UNASSIGN = 'update conversations set assignee_id = null, assigned_at = null where assignee_id = $1';
const REMOVE = 'delete from members where user_id = $1';

describe('a new assignee is a member when the change is committed', () => {
  test.for<[string, string[]]>([
    ['is leaving', [LOCK_MEMBER, UNASSIGN, REMOVE]],
    ['is becoming a viewer', ["update members set role = 'viewer' where user_id = $1"]],
  ])(
    'the call waits for a teammate who %s, and is then refused',
    async ([_what, statements], { api, connection, ben, conversation: id }) => {
      const response = await inOtherTransaction(async (client) => {
        for (const statement of statements) await client.query(statement, [ben.id]);
        const called = assignBen(api, ben, id);
        await waiters(1);
        return { called };
      });
      expect(await response.called).toMatchObject(REFUSED);
      expect(await storedConversation(id)).toMatchObject({
        assigneeId: connection.teammate.id,
        priority: 'normal',
      });
    },
  );

  test('removing a teammate during the assignment waits, and then unassigns the conversation', async ({
    api,
    ben,
    conversation: id,
  }) => {
    const { called, left } = await inOtherTransaction(async (client) => {
      await client.query('select from conversations where id = $1 for no key update', [id]);
      const called = assignBen(api, ben, id);
      await waiters(1);
      const left = inOtherTransaction(async (other) => {
        for (const statement of [LOCK_MEMBER, UNASSIGN, REMOVE]) await other.query(statement, [ben.id]);
      });
      await waiters(2);
      return { called, left };
    });
    expect(await called).toMatchObject({ status: 200, body: { assignee: ben } });
    await left;
    expect(await storedConversation(id)).toMatchObject({ assigneeId: null, priority: 'high' });
  });

  test('after a deadlock the call is retried and does not fail', async ({
    api,
    connection,
    ben,
    conversation: id,
  }) => {
    let called: ReturnType<typeof assignBen> | undefined;
    const removing = inOtherTransaction(async (client) => {
      // Wrong lock order: the conversation first, then the member that the call has locked.
      await client.query('select from conversations where id = $1 for no key update', [id]);
      called = assignBen(api, ben, id);
      await waiters(1);
      await client.query(`${REMOVE} ${ON_PURPOSE}`, [ben.id]);
    });
    const isRemoved = await removing.then(
      () => true,
      () => false,
    );
    // The database aborts one of the two, nearly always the call, which waits longer.
    expect((await called)?.status).toBe(isRemoved ? 422 : 200);
    expect((await storedConversation(id)).assigneeId).toBe(isRemoved ? connection.teammate.id : ben.id);
  });

  test('assigning and removing a teammate in parallel never fails', async ({
    api,
    connection,
    conversation: id,
  }) => {
    for (let round = 0; round < 8; round += 1) {
      const user = await addTeammate(connection.workspaceId, 'agent', 'Rob');
      const [response] = await Promise.all([
        patch(api, id, { assignee_id: user.id }),
        inTransaction(async (tx) => {
          const assigneeId = user.id;
          await tx.$queryRaw`select 1 from members where user_id = ${user.id}::uuid for update`;
          await tx.conversation.updateMany({
            where: { assigneeId },
            data: { assigneeId: null, assignedAt: null },
          });
          await tx.member.deleteMany({ where: { userId: user.id } });
        }),
      ]);
      expect([200, 422]).toContain(response.status);
      expect((await storedConversation(id)).assigneeId).not.toBe(user.id);
    }
  });
});

test('the call waits for the deletion of a team, and is then refused', async ({
  api,
  returns: team,
  conversation: id,
}) => {
  const { called } = await inOtherTransaction(async (client) => {
    await client.query('delete from teams where id = $1', [team.id]);
    const called = patch(api, id, { team_id: team.id });
    await waiters(1);
    return { called };
  });
  expect(await called).toMatchObject({ status: 422, body: { errors: { team_id: [expect.any(String)] } } });
});

const patch = (api: Api, id: string, body: object) => api('PATCH', `/conversations/${id}`, body);

const assignBen = (api: Api, ben: Teammate, id: string) =>
  patch(api, id, { assignee_id: ben.id, priority: 'high' });

const waiters = (count: number) =>
  until(`${count} wait for a lock`, async () => (await countLockWaiters()) === count);

/** Runs `work` in a transaction on a separate connection. */
async function inOtherTransaction<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool().connect();
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

const REFUSED = { status: 422, body: { errors: { assignee_id: [expect.any(String)] } } };
