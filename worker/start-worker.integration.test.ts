import { expect } from 'vitest';
import { pool } from '#server/core/database/pools.ts';
import { db } from '#server/core/database/prisma.ts';
import { countLockWaiters } from '#test/database/count-lock-waiters.ts';
import { makeUser } from '#test/fixtures/factories.ts';
import { queuedJobs } from '#test/fixtures/queued-jobs.ts';
import { test } from '#test/fixtures/service-test.ts';
import { until } from '#test/fixtures/until.ts';
import { registerTasks, startWorker } from '#worker/start-worker.ts';

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

test('a worker moves and runs jobs that a killed process committed but did not move', async () => {
  const users = await Promise.all(['Ada', 'Ben'].map((name) => makeUser(name)));
  const worker = await startWorker();
  try {
    for (const { id } of users) {
      await db().user.update({
        where: { id },
        data: { deletedAt: new Date(), email: `${id}@deleted.invalid` },
      });
    }
    await db().outboxJob.createMany({
      data: users.map(({ id: userId }) => ({ task: 'remove-account', payload: { userId } })),
    });
    await until('both are removed', async () => (await db().user.count()) === 0);
  } finally {
    await worker.stop();
  }
  expect(await queuedJobs()).toEqual([]);
});
