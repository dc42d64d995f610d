import { expect } from 'vitest';
import { endConnection } from '#server/automation/connections/end-connection.ts';
import { pool } from '#server/core/database/pools.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { test } from '#test/fixtures/service-test.ts';
import { makeWholeWorkspace } from '#test/fixtures/whole-workspace.ts';

test('one statement deletes a workspace with its content, and no other', async () => {
  const [gone, kept] = [await makeWholeWorkspace(), await makeWholeWorkspace()];
  const before = await rowsOf(kept.workspaceId);
  const filled = Object.entries(before)
    .filter(([, count]) => count > 0)
    .map(([name]) => name);
  expect(filled).toEqual(
    expect.arrayContaining([
      'connections',
      'conversations',
      'deliveries',
      'hooks',
      'messages',
      'notes',
      'samples',
      'teams',
    ]),
  );

  await inTransaction(async (tx) => {
    await endConnection(tx, { id: gone.connectionId, reason: 'workspace_deleted' });
    await tx.workspace.delete({ where: { id: gone.workspaceId } });
  });
  expect(total(await rowsOf(gone.workspaceId))).toBe(0);
  expect(await rowsOf(kept.workspaceId)).toEqual(before);
  expect(await db().attempt.count({ where: { deliveryId: gone.deliveryId } })).toBe(0);
  expect(await db().user.count({ where: { id: gone.userId } })).toBe(1);
});

test('a late call still gets the reason of its refusal', async ({ service }) => {
  const gone = await makeWholeWorkspace();
  await inTransaction(async (tx) => {
    await endConnection(tx, { id: gone.connectionId, reason: 'workspace_deleted' });
    await tx.workspace.delete({ where: { id: gone.workspaceId } });
  });
  expect(await db().connection.findUniqueOrThrow({ where: { id: gone.connectionId } })).toMatchObject({
    workspaceId: null,
    integrationId: null,
    endReason: 'workspace_deleted',
  });
  const response = await apiClient(service.url, gone.accessToken)('GET', '/me');
  expect(response).toMatchObject({
    status: 401,
    body: { message: 'This workspace connection is no longer valid, reconnect.' },
  });
});

test('a workspace with an active connection cannot be deleted', async () => {
  const { workspaceId } = await makeWholeWorkspace();
  await refused(`delete from workspaces where id = '${workspaceId}'`, 'connections_active_is_whole');
  expect(await db().workspace.count({ where: { id: workspaceId } })).toBe(1);
});

test('a teammate cannot be deleted while conversations are assigned to them or their connection is active', async () => {
  const { workspaceId, userId, connectionId, conversationId } = await makeWholeWorkspace();
  await refused(
    `delete from members where workspace_id = '${workspaceId}' and user_id = '${userId}'`,
    'conversations_workspace_id_assignee_id_fkey',
  );
  await db().conversation.update({
    where: { id: conversationId },
    data: { assigneeId: null, assignedAt: null },
  });
  await refused(`delete from users where id = '${userId}'`, 'connections_active_is_whole');
  await inTransaction((tx) => endConnection(tx, { id: connectionId, reason: 'teammate_deleted' }));
  await db().user.delete({ where: { id: userId } });
  expect(await db().message.findFirstOrThrow({ where: { workspaceId } })).toMatchObject({ authorId: null });
});

const refused = (sql: string, constraint: string) =>
  expect(pool().query(sql)).rejects.toMatchObject({ constraint });

/** Counts the rows of a workspace in each table with a workspace id. */
async function rowsOf(workspaceId: string): Promise<Record<string, number>> {
  const { rows: tables } = await pool().query<{ name: string }>(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'workspace_id' order by 1`,
  );
  const counts = tables.map(async ({ name }) => {
    const { rows } = await pool().query<{ count: number }>(
      `select count(*)::int as count from ${name} where workspace_id = $1`,
      [workspaceId],
    );
    return [name, rows[0]?.count ?? 0] as const;
  });
  return Object.fromEntries(await Promise.all(counts));
}

const total = (counts: Record<string, number>) =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);
