import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { queueJob } from '#server/core/jobs/outbox.ts';
import { allMoved, forgetJobs } from '#test/fixtures/queued-jobs.ts';
import { withTestService } from '#test/fixtures/service.ts';
import { until } from '#test/fixtures/until.ts';
import { startWatchdog } from '#worker/watchdog.ts';

withTestService();
beforeEach(forgetJobs);

let watchdog: ReturnType<typeof startWatchdog> | undefined;
afterEach(() => watchdog?.stop());

/** Watches, looking often; `looks` counts how often it asked how much was done. */
function watch({ tasks = ['send-message'], busy = false }: { tasks?: string[]; busy?: boolean } = {}) {
  const onStall = vi.fn();
  let looks = 0;
  const done = () => {
    looks += 1;
    return busy ? looks : 0;
  };
  watchdog = startWatchdog({ tasks, done, onStall, stallMs: 400, lookMs: 50 });
  return { onStall, looks: () => looks };
}

/** A job that has been due for a while. */
async function dueJob(): Promise<void> {
  await inTransaction((tx) => queueJob(tx, 'send-message', { messageId: randomUUID() }));
  await allMoved();
  await db().$executeRaw`update graphile_worker._private_jobs set run_at = now() - interval '1 minute'`;
}

test('due jobs that lie while none is worked off end the worker', async () => {
  await dueJob();
  const { onStall } = watch();
  await until('it says so', () => onStall.mock.calls.length > 0);
  expect(watchdog?.isStalling()).toBe(true);
});

test.each([
  ['nothing is due', { prepare: async () => undefined, busy: false }],
  ['others are worked off', { prepare: dueJob, busy: true }],
  ['they are not for this worker', { prepare: dueJob, busy: false, tasks: ['a task of another program'] }],
  [
    'another worker has locked them',
    {
      prepare: async () => {
        await dueJob();
        await db()
          .$executeRaw`update graphile_worker._private_jobs set locked_by = 'another', locked_at = now()`;
      },
      busy: false,
    },
  ],
])('it does not when %s', async (_when, { prepare, ...how }) => {
  await prepare();
  const { onStall, looks } = watch(how);
  await until('it has looked for twice as long', () => looks() > 20);
  expect(onStall).not.toHaveBeenCalled();
});

test('nor when the database does not answer', async () => {
  await dueJob();
  await db().$executeRaw`alter table graphile_worker._private_jobs rename to hidden_jobs`;
  const { onStall, looks } = watch();
  await until('it has looked for twice as long', () => looks() > 20);
  expect(onStall).not.toHaveBeenCalled();
  await db().$executeRaw`alter table graphile_worker.hidden_jobs rename to _private_jobs`;
  await until('it says so once the database answers', () => onStall.mock.calls.length > 0);
});
