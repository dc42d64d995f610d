import { expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { makeUser } from '#test/fixtures/factories.ts';
import { queuedJobs } from '#test/fixtures/queued-jobs.ts';
import { test } from '#test/fixtures/service-test.ts';
import { until } from '#test/fixtures/until.ts';
import { startWorker } from '#worker/start-worker.ts';

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
