import { describe, expect } from 'vitest';
import { pool } from '#server/core/database/pools.ts';
import { db } from '#server/core/database/prisma.ts';
import { countLockWaiters } from '#test/database/count-lock-waiters.ts';
import { recordedEvents } from '#test/database/recorded-events.ts';
import { test } from '#test/fixtures/conversation-test.ts';
import type { Api, Connected } from '#test/fixtures/fixture-types.ts';
import { until } from '#test/fixtures/until.ts';

describe('a new conversation that waits for a parallel change', () => {
  test('is refused and not stored when its teammate becomes a viewer', async ({ api, connection }) => {
    const response = await createAfter(api, connection, DEMOTE);
    expect(response).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('so no conversation was started') },
    });
    expect(await rows(connection)).toEqual([0, 0, 0]);
    expect(await recordedEvents(connection.workspaceId)).toEqual([]);
  });

  test('is created when the change of the role is rolled back', async ({ api, connection }) => {
    expect((await createAfter(api, connection, DEMOTE, 'rollback')).status).toBe(201);
    expect(await rows(connection)).toEqual([1, 1, 1]);
  });

  test('uses the contact created in parallel, and emits no contact.created', async ({ api, connection }) => {
    const response = await createAfter(api, connection, SAME_CONTACT);
    expect(response).toMatchObject({ status: 201, body: { contact: { first_name: 'Other' } } });
    expect(await rows(connection)).toEqual([1, 1, 1]);
    const keys = (await recordedEvents(connection.workspaceId)).map(({ event }) => event);
    expect(keys).toEqual(['conversation.created', 'conversation.assigned']);
  });

  test('creates its contact when the parallel creation is rolled back', async ({ api, connection }) => {
    const response = await createAfter(api, connection, SAME_CONTACT, 'rollback');
    expect(response).toMatchObject({ status: 201, body: { contact: { first_name: 'Ada' } } });
    expect(await recordedEvents(connection.workspaceId)).toHaveLength(3);
  });
});

/** Starts a conversation while another transaction holds an uncommitted change. Returns the response. */
async function createAfter(
  api: Api,
  connection: Connected,
  sql: string,
  end: 'commit' | 'rollback' = 'commit',
) {
  const client = await pool().connect();
  try {
    await client.query('begin');
    await client.query(sql, [connection.workspaceId]);
    const body = { to_email: 'ada@example.com', to_name: 'Ada', subject: 'Order', content: 'Hello' };
    const response = api('POST', '/conversations', body);
    await until('the call waits', async () => (await countLockWaiters()) === 1);
    await client.query(end);
    return await response;
  } finally {
    client.release();
  }
}

const rows = async (connection: Connected) => {
  const where = { workspaceId: connection.workspaceId };
  const counts = [
    db().contact.count({ where }),
    db().conversation.count({ where }),
    db().message.count({ where }),
  ];
  return Promise.all(counts);
};

const DEMOTE = "update members set role = 'viewer' where workspace_id = $1";

const SAME_CONTACT = `insert into contacts (id, workspace_id, first_name, email, updated_at)
  values (gen_random_uuid(), $1, 'Other', 'ada@example.com', now())`;
