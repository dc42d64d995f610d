import { expect, test } from 'vitest';
import { pool } from '#server/core/database/pools.ts';
import { countLockWaiters } from '#test/database/count-lock-waiters.ts';
import { withTestService } from '#test/fixtures/service.ts';
import { until } from '#test/fixtures/until.ts';
import { registerTasks } from '#worker/start-worker.ts';

withTestService();

test('tasks are registered in one order, so two workers on a new database do not deadlock', async () => {
  const client = await pool().connect();
  const insert = (name: string) =>
    client.query('insert into graphile_worker._private_tasks (identifier) values ($1)', [name]);
  try {
    await client.query('begin');
    await insert('order-b');
    const registering = registerTasks(['order-c', 'order-b', 'order-a']);
    await until('it waits for the other worker', async () => (await countLockWaiters()) === 1);
    await insert('order-c');
    await client.query('commit');
    await registering;
  } finally {
    client.release();
  }
  const { rows } = await pool().query(
    "select identifier from graphile_worker._private_tasks where identifier like 'order-%' order by 1",
  );
  expect(rows.map(({ identifier }) => identifier)).toEqual(['order-a', 'order-b', 'order-c']);
});
