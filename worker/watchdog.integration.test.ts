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

/** Starts a watchdog with short intervals. `polls` counts its checks of the number of finished jobs. */
function watch({ tasks = ['send-message'], busy = false }: { tasks?: string[]; busy?: boolean } = {}) {
  const onStall = vi.fn();
  let polls = 0;
  const done = () => {
    polls += 1;
    return busy ? polls : 0;
  };
  watchdog = startWatchdog({ tasks, done, onStall, stallMs: 400, pollMs: 50 });
  return { onStall, polls: () => polls };
}

async function dueJob(): Promise<void> {
  await inTransaction((tx) => queueJob(tx, 'send-message', { messageId: randomUUID() }));
  await allMoved();
  await db().$executeRaw`update graphile_worker._private_jobs set run_at = now() - interval '1 minute'`;
}

test('due jobs while no job runs end the worker', async () => {
  await dueJob();
  const { onStall } = watch();
  await until('the stall is reported', () => onStall.mock.calls.length > 0);
  expect(watchdog?.isStalling()).toBe(true);
});

test.each([
  ['nothing is due', { prepare: async () => undefined, busy: false }],
  ['other jobs run', { prepare: dueJob, busy: true }],
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
])('the worker does not end if %s', async (_when, { prepare, ...how }) => {
  await prepare();
  const { onStall, polls } = watch(how);
  await until('it has polled for twice as long', () => polls() > 20);
  expect(onStall).not.toHaveBeenCalled();
});

test('the worker does not end while the database is unreachable', async () => {
  await dueJob();
  await db().$executeRaw`alter table graphile_worker._private_jobs rename to hidden_jobs`;
  const { onStall, polls } = watch();
  await until('it has polled for twice as long', () => polls() > 20);
  expect(onStall).not.toHaveBeenCalled();
  await db().$executeRaw`alter table graphile_worker.hidden_jobs rename to _private_jobs`;
  await until('the stall is reported once the database responds', () => onStall.mock.calls.length > 0);
});
