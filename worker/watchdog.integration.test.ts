import { randomUUID } from 'node:crypto';
import { expect, vi } from 'vitest';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { queueJob } from '#server/core/jobs/outbox.ts';
import { allMoved, forgetJobs } from '#test/fixtures/queued-jobs.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';
import { until } from '#test/fixtures/until.ts';
import { startWatchdog } from '#worker/watchdog.ts';

const test = serviceTest.extend('watch', async ({ service: _ }, { onCleanup }) => {
  await forgetJobs();
  return (input?: Watched) => startWatching(input, onCleanup);
});

test('the worker is ended if jobs are due and no job runs', async ({ watch }) => {
  await dueJob();
  const { onStall, watchdog } = watch();
  await until('the stall is reported', () => onStall.mock.calls.length > 0);
  expect(watchdog.isStalling()).toBe(true);
});

test.for([
  { when: 'nothing is due', prepare: async () => undefined },
  { when: 'other jobs run', prepare: dueJob, busy: true },
  { when: 'the due jobs are not for this worker', prepare: dueJob, tasks: ['a task of another program'] },
  { when: 'another worker has locked them', prepare: lockedJob },
])('the worker does not end if $when', async ({ prepare, busy, tasks }, { watch }) => {
  await prepare();
  const { onStall, polls } = watch({ busy, tasks });
  await until('it has polled for twice the stall time', () => polls() > 20);
  expect(onStall).not.toHaveBeenCalled();
});

test('the worker does not end while the database is unreachable', async ({ watch }) => {
  await dueJob();
  await db().$executeRaw`alter table hook_queue rename to hidden_queue`;
  const { onStall, polls } = watch();
  await until('it has polled for twice the stall time', () => polls() > 20);
  expect(onStall).not.toHaveBeenCalled();
  await db().$executeRaw`alter table hidden_queue rename to hook_queue`;
  await until('the stall is reported once the database responds', () => onStall.mock.calls.length > 0);
});

type Watched = { tasks?: string[] | undefined; busy?: boolean | undefined };

/** Starts a watchdog with short intervals. `polls` counts its checks of the number of finished jobs. */
function startWatching(
  { tasks = ['send-message'], busy = false }: Watched = {},
  onCleanup: (stop: () => void | Promise<void>) => void,
) {
  const onStall = vi.fn();
  let polls = 0;
  const done = () => {
    polls += 1;
    return busy ? polls : 0;
  };
  const watchdog = startWatchdog({ tasks, done, onStall, stallMs: 400, pollMs: 50 });
  onCleanup(() => watchdog.stop());
  return { onStall, watchdog, polls: () => polls };
}

async function dueJob(): Promise<void> {
  await inTransaction((tx) => queueJob(tx, 'send-message', { messageId: randomUUID() }));
  await allMoved();
  await db().$executeRaw`update graphile_worker._private_jobs set run_at = now() - interval '1 minute'`;
}

async function lockedJob(): Promise<void> {
  await dueJob();
  await db().$executeRaw`update graphile_worker._private_jobs set locked_by = 'another', locked_at = now()`;
}
