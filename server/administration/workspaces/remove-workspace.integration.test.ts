import { expect } from 'vitest';
import { removeWorkspace } from '#server/administration/workspaces/delete-workspace.ts';
import { pool } from '#server/core/database/pools.ts';
import { db } from '#server/core/database/prisma.ts';
import { countLockWaiters } from '#test/database/count-lock-waiters.ts';
import { attemptedDelivery } from '#test/fixtures/attempts.ts';
import { makeHook } from '#test/fixtures/deliveries.ts';
import { test } from '#test/fixtures/service-test.ts';
import { until } from '#test/fixtures/until.ts';

test('removing a workspace does not deadlock with delivery results that are written at the same time', async ({
  connection,
}) => {
  const hook = await makeHook(connection);
  const first = await attemptedDelivery(hook);
  const last = await attemptedDelivery(hook);
  await db().workspace.update({ where: { id: hook.workspaceId }, data: { deletedAt: new Date() } });
  const other = await pool().connect();
  try {
    await other.query('begin');
    await other.query("set local deadlock_timeout = '50ms'");
    await other.query('select from hooks where id = $1 for no key update', [hook.id]);
    const write = ({ id }: { id: string }) =>
      other.query('update deliveries set attempts = attempts + 1 where id = $1', [id]);
    await write(last);
    const removing = removeWorkspace(hook.workspaceId);
    await until('the removal waits for the lock', async () => (await countLockWaiters()) === 1);
    await write(first);
    await other.query('commit');
    await removing;
  } finally {
    other.release(true);
  }
  expect(await db().workspace.count({ where: { id: hook.workspaceId } })).toBe(0);
});
