import { randomUUID } from 'node:crypto';
import { parseCrontab } from 'graphile-worker';
import { expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { readBacklog } from '#server/core/metrics/read-backlog.ts';
import { breachClocks } from '#server/inbox/conversations/breach-sla-clocks.ts';
import { closeSolved } from '#server/inbox/conversations/close-solved.ts';
import { failWrites } from '#test/faults/fail-writes.ts';
import { startPasskeySignIn } from '#test/fixtures/authenticator.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { forgetJobs } from '#test/fixtures/queued-jobs.ts';
import { test } from '#test/fixtures/service-test.ts';
import { until } from '#test/fixtures/until.ts';
import { startWorker } from '#worker/start-worker.ts';
import { CRONTAB, MAIL_CRONTAB, makeTasks } from '#worker/tasks.ts';

test('conversations that cannot be closed do not block others, and close once they can', async ({
  connection,
}) => {
  await db().workspace.update({ where: { id: connection.workspaceId }, data: { closeSolvedAfterDays: 1 } });
  const solved = (days: number) =>
    makeConversation(connection, { status: 'solved', statusChangedAt: new Date(Date.now() - days * DAY_MS) });
  const broken = [await solved(30), await solved(29), await solved(28)];
  const well = [await solved(3), await solved(2)];
  const restore = await failUpdates('conversations', broken);
  expect(await closeSolved({ batch: 2 })).toBe(2);
  await restore();
  expect(await closeSolved({ batch: 2 })).toBe(3);
  expect(
    await db().conversation.count({ where: { id: { in: [...broken, ...well] }, status: 'closed' } }),
  ).toBe(5);
});

test('SLA clocks that cannot be breached do not block others', async ({ connection }) => {
  const clock = async (minutes: number) => {
    const conversationId = await makeConversation(connection);
    const dueAt = new Date(Date.now() - minutes * 60_000);
    const data = { workspaceId: connection.workspaceId, conversationId, kind: 'resolution', dueAt } as const;
    return (await db().slaClock.create({ data })).id;
  };
  const broken = [await clock(30), await clock(29), await clock(28)];
  await clock(2);
  const restore = await failUpdates('sla_clocks', broken);
  expect(await breachClocks({ batch: 2 })).toBe(1);
  await restore();
  expect(await breachClocks({ batch: 2 })).toBe(3);
});

test('a failed step of the cleanup does not block later steps, and fails the job', async ({ connection }) => {
  await db().$executeRaw`alter table consent_forms rename to consent_forms_gone`;
  await db().$executeRaw`
    insert into graphile_worker._private_tasks (identifier) values ('clean-up') on conflict do nothing`;
  const id = await makeConversation(connection);
  const message = await db().message.create({
    data: {
      workspaceId: connection.workspaceId,
      conversationId: id,
      direction: 'outbound',
      authorKind: 'teammate',
      authorId: connection.teammate.id,
      content: 'Hello',
      sendStatus: 'sending',
      sendStartedAt: new Date(Date.now() - DAY_MS),
    },
  });
  await db().$executeRaw`select (graphile_worker.add_job('clean-up')).id`;
  const worker = await startWorker();
  try {
    await until('the later step has run', async () => {
      const { sendStatus } = await db().message.findUniqueOrThrow({ where: { id: message.id } });
      return sendStatus === 'failed';
    });
    const lastError = async () => {
      const [job] = await db().$queryRaw<{ error: string | null }[]>`
        select last_error as error from graphile_worker.jobs where task_identifier = 'clean-up'`;
      return job?.error;
    };
    const error = await until('the job counts as failed', lastError);
    expect(error).toBe('These steps failed: deleteOldConsentForms.');
  } finally {
    await worker.stop();
    await db().$executeRaw`alter table consent_forms_gone rename to consent_forms`;
  }
});

test('expired sessions are removed with the addresses in them, and others stay', async ({ connection }) => {
  const session = (expiresAt: Date) => {
    const token = randomUUID();
    return db().session.create({
      data: { userId: connection.teammate.id, token, expiresAt, ipAddress: '192.0.2.1' },
    });
  };
  const expired = await session(new Date(Date.now() - 1_000));
  const valid = await session(new Date(Date.now() + DAY_MS));
  await cleanUp();
  const left = await db().session.findMany({ where: { id: { in: [expired.id, valid.id] } } });
  expect(left.map(({ id }) => id)).toEqual([valid.id]);
});

test('expired challenges of passkeys that nobody answered are removed, and others stay', async ({
  service: _,
}) => {
  const challenges = await Promise.all([1, 2].map(() => startPasskeySignIn()));
  const [expired = '', valid = ''] = challenges.map(({ challenge }) => challenge);
  const expiresAt = new Date(Date.now() - 1_000);
  await db().verification.updateMany({ where: { value: expired }, data: { expiresAt } });
  await cleanUp();
  const left = await db().verification.findMany({ where: { value: { in: [expired, valid] } } });
  expect(left.map(({ value }) => value)).toEqual([valid]);
});

test('a scheduled task counts as given up after its last failure, and no longer once a later job has replaced that', async ({
  service: _,
}) => {
  await forgetJobs();
  const scheduled = parseCrontab(CRONTAB + MAIL_CRONTAB);
  const names = scheduled.map(({ task }) => task).toSorted();
  const add = async () => {
    for (const { task, options } of scheduled) await addJob(task, options.jobKey);
  };
  await add();
  await failAllJobs();
  await cleanUp();
  expect(await givenUpTasks()).toEqual(names);
  await add();
  // A failure of this minute is superseded in the next one: the alert must not stop while the task keeps failing.
  await cleanUp();
  expect(await givenUpTasks()).toEqual(names);
  await passTenMinutes();
  await cleanUp();
  expect(await givenUpTasks()).toEqual([]);
});

test('a job that fails after another one replaced it is removed, and jobs without a successor stay', async ({
  service: _,
}) => {
  await forgetJobs();
  await addJob('process-updates', 'updates:one');
  await db().$executeRaw`update graphile_worker._private_jobs set locked_at = now()`;
  await addJob('process-updates', 'updates:one');
  await addJob('process-updates', 'updates:other');
  await addJob('mail-invitation');
  await failAllJobs();
  expect(await givenUpTasks()).toEqual(['mail-invitation', ...Array(3).fill('process-updates')]);
  await cleanUp();
  expect(await givenUpTasks()).toEqual(['mail-invitation', ...Array(2).fill('process-updates')]);
});

const DAY_MS = 86_400_000;

async function cleanUp(): Promise<void> {
  const task = makeTasks()['clean-up'];
  if (!task) throw new Error('There is no task.');
  await Reflect.apply(task, undefined, []);
}

async function addJob(task: string, key?: string): Promise<void> {
  await db().$executeRaw`
    select (graphile_worker.add_job(${task}::text, job_key := ${key ?? null}::text, run_at := now() + interval '1 day')).id`;
}

/** Makes all jobs fail for the last time, ten minutes ago. */
async function failAllJobs(): Promise<void> {
  await db().$executeRaw`
    update graphile_worker._private_jobs set attempts = max_attempts, locked_at = null, last_error = 'It failed.'`;
  await passTenMinutes();
}

async function passTenMinutes(): Promise<void> {
  await db().$executeRaw`
    update graphile_worker._private_jobs set updated_at = updated_at - interval '10 minutes'`;
}

/** Returns the tasks of the jobs that count as given up, in alphabetical order. */
async function givenUpTasks(): Promise<string[]> {
  const backlog = await readBacklog();
  const tasks = backlog?.jobs.flatMap(({ task, counts }) => Array<string>(counts.given_up).fill(task));
  return tasks?.toSorted() ?? [];
}

/** Makes every update of these rows fail, as if they were damaged. */
function failUpdates(table: string, ids: string[]): Promise<() => Promise<void>> {
  const listed = ids.map((id) => `'${id}'`).join(', ');
  return failWrites([table], { on: 'update', message: 'This row is broken.', when: `old.id in (${listed})` });
}
