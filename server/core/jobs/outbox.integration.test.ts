import { Client } from 'pg';
import { afterEach, describe, expect } from 'vitest';
import { removeHooks } from '#server/automation/hooks/remove-hooks.ts';
import { createContact } from '#server/contacts/create-contact.ts';
import { recordEvents } from '#server/contract/record-events.ts';
import { runWithAfterCommit } from '#server/core/database/after-commit.ts';
import { planAndWrite } from '#server/core/database/planned.ts';
import { db } from '#server/core/database/prisma.ts';
import { type SqlDb, sqlDb } from '#server/core/database/sql.ts';
import { sqlTransaction } from '#server/core/database/sql-transaction.ts';
import { settings } from '#server/core/env.ts';
import { type JobOptions, MOVE, moveJobs, queueJob } from '#server/core/jobs/outbox.ts';
import { WORK_CHANNEL } from '#server/core/jobs/wake-workers.ts';
import { settleRuns } from '#server/core/run-coalesced.ts';
import { countLockWaiters } from '#test/database/count-lock-waiters.ts';
import { statementsOf } from '#test/database/statements.ts';
import { makeHook } from '#test/fixtures/deliveries.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { BY_THE_SERVICE } from '#test/fixtures/occurrences.ts';
import { allMoved, forgetJobs } from '#test/fixtures/queued-jobs.ts';
import { test } from '#test/fixtures/service-test.ts';
import { until } from '#test/fixtures/until.ts';

test.beforeEach(({ service: _ }) => forgetJobs());

describe('a change that queues jobs', () => {
  test('does not notify: another connection notifies the workers after the commit', async () => {
    const { notifying, by } = await whoNotifies(async (tx) => {
      await queue(tx, 1);
      await queue(tx, 2);
    });
    expect(notifying).not.toContain(by);
    expect(await numbers()).toEqual([1, 2]);
  });

  test('does not notify when it records an event', async () => {
    const { workspaceId } = await makeConnection();
    const contact = await planAndWrite((tx) =>
      createContact(tx, { workspaceId, actor: { kind: 'automatic' }, fields: { email: 'ada@example.com' } }),
    );
    await settleRuns();
    const { notifying, by } = await whoNotifies((tx) =>
      recordEvents(tx, {
        workspaceId,
        events: [{ key: 'contact.created', payload: { contact } }],
        cause: BY_THE_SERVICE,
      }),
    );
    expect(notifying).not.toContain(by);
  });

  test('does not notify when it removes hooks', async () => {
    const connection = await makeConnection();
    await makeHook(connection);
    const { notifying, by } = await whoNotifies((tx) =>
      removeHooks(tx, { connectionId: connection.id }, 'gone'),
    );
    expect(notifying).not.toContain(by);
  });

  test('leaves none when it is rolled back', async () => {
    const undone = sqlTransaction(async (tx) => {
      await queue(tx, 1);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await allMoved();
    expect(await numbers()).toEqual([]);
  });

  test('preserves their due time, queue and key', async () => {
    const queued = await sqlTransaction(async (tx) => {
      const before = Date.now();
      await queue(tx, 1, { inSeconds: 600, key: 'the key', queue: 'the queue' });
      const [row] = await tx.$queryRaw<{ runAt: string; at: Date }[]>`
        select run_at::text as "runAt", run_at as at from job_outbox where job_key = 'the key'`;
      expect(Number(row?.at)).toBeGreaterThanOrEqual(before + 600_000 - 1);
      expect(Number(row?.at)).toBeLessThanOrEqual(Date.now() + 600_000 + 1);
      return row;
    });
    await allMoved();
    expect(await inQueue()).toEqual([
      { number: 1, key: 'the key', queue: 'the queue', runAt: queued?.runAt },
    ]);
  });

  test('fails when the queue would refuse a job later', async () => {
    for (const options of [{ key: '' }, { key: 'k'.repeat(513) }, { queue: 'q'.repeat(129) }]) {
      await expect(sqlTransaction((tx) => queue(tx, 1, options))).rejects.toThrow(/job_outbox_/);
    }
  });
});

describe('jobs with the same key', () => {
  test('that are moved together are replaced by the last one', async () => {
    await sqlTransaction(async (tx) => {
      await queue(tx, 1, { key: 'same' });
      await queue(tx, 2, { key: 'other' });
      await queue(tx, 3, { key: 'same' });
      await queue(tx, 4);
    });
    await allMoved();
    const rows = await inQueue();
    expect(rows.map(({ number, key }) => [number, key])).toEqual([
      [2, 'other'],
      [3, 'same'],
      [4, null],
    ]);
  });

  test('replace one that is already queued', async () => {
    await sqlTransaction((tx) => queue(tx, 1, { key: 'same', inSeconds: 600 }));
    await allMoved();
    await sqlTransaction((tx) => queue(tx, 2, { key: 'same', inSeconds: 60 }));
    await allMoved();
    expect(await inQueue()).toMatchObject([{ number: 2, key: 'same' }]);
  });
});

test('jobs queued during a move are moved together by the next statement', async () => {
  const client = await startRival();
  await sqlTransaction((tx) => queue(tx, 0));
  await allMoved();
  const statements = await statementsOf(async () => {
    await client.query('begin');
    await client.query('lock table graphile_worker._private_jobs in exclusive mode');
    await sqlTransaction((tx) => queue(tx, 1));
    await until('the first is being moved', async () => (await countLockWaiters()) === 1);
    for (let number = 2; number <= 30; number += 1) await sqlTransaction((tx) => queue(tx, number));
    await client.query('commit');
    await settleRuns();
  });
  expect(
    statements.filter(({ text }) => text.includes('graphile_worker.add_jobs')).length,
  ).toBeLessThanOrEqual(2);
  expect((await numbers()).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 31 }, (_, n) => n));
});

test('processes that move the same keys at the same time do not deadlock', async () => {
  const clients = [await startRival(), new Client({ connectionString: settings().DATABASE_URL })] as const;
  await clients[1].connect();
  const keys = Array.from({ length: 60 }, (_, n) => `key ${n}`);
  try {
    for (let round = 0; round < 10; round += 1) {
      await sqlTransaction(async (tx) => {
        for (const key of keys) await queue(tx, 1, { key });
      });
      await leaveKeyed(keys.toReversed());
      await Promise.all([...clients.map((client) => client.query(MOVE.text)), moveJobs()]);
    }
  } finally {
    await clients[1].end();
  }
  expect(await inQueue()).toHaveLength(keys.length);
});

test('processes that move at the same time move each job once', async () => {
  await leaveBehind(1, 3_500);
  const client = await startRival();
  const moveRepeatedly = async () => {
    for (let n = 0; n < 8; n += 1) await client.query(MOVE.text);
  };
  await Promise.all([moveJobs(), moveRepeatedly(), moveJobs()]);
  await allMoved();
  expect((await numbers()).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 3_500 }, (_, n) => n + 1));
});

test('a process that freezes during a move blocks no other jobs', async () => {
  await leaveBehind(1, 3);
  const frozen = await startRival();
  await frozen.query('begin');
  await frozen.query(MOVE.text);
  await leaveBehind(4, 2);
  await moveJobs();
  expect(await numbers()).toEqual([4, 5]);
  await frozen.query('rollback');
  await moveJobs();
  expect((await numbers()).toSorted()).toEqual([1, 2, 3, 4, 5]);
});

test('changes commit while the queue fails, and their jobs are moved once it works', async () => {
  await db().$executeRaw`alter function graphile_worker.add_jobs rename to add_jobs_gone`;
  await sqlTransaction((tx) => queue(tx, 1));
  await moveJobs();
  expect(await db().outboxJob.count()).toBe(1);
  await db().$executeRaw`alter function graphile_worker.add_jobs_gone rename to add_jobs`;
  await moveJobs();
  expect(await numbers()).toEqual([1]);
});

const idOf = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;
const queue = (tx: SqlDb, number: number, options?: JobOptions) =>
  queueJob(tx, 'mail-invitation', { invitationId: idOf(number) }, options);

type Row = { number: number; key: string | null; queue: string | null; runAt: string };
/** Returns the queue, in the order of insertion. */
async function inQueue(): Promise<Row[]> {
  return db().$queryRaw<Row[]>`
    select right(j.payload ->> 'invitationId', 12)::int as number, j.key, q.queue_name as queue,
      j.run_at::text as "runAt"
    from graphile_worker._private_jobs j
    left join graphile_worker._private_job_queues q on q.id = j.job_queue_id
    order by j.run_at, j.id`;
}
const numbers = async () => (await inQueue()).map(({ number }) => number);

/** Inserts rows as a process that crashed between the commit and the move. */
async function leaveBehind(from: number, count: number): Promise<void> {
  await db().$executeRaw`
    insert into job_outbox (task, payload)
    select 'mail-invitation', json_build_object('invitationId', '00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))
    from generate_series(${from}::int, ${from + count - 1}::int) n`;
}

async function leaveKeyed(keys: string[]): Promise<void> {
  await db().$executeRaw`
    insert into job_outbox (task, payload, job_key)
    select 'mail-invitation', json_build_object('invitationId', ${idOf(2)}::text), key
    from unnest(${keys}::text[]) with ordinality as keys (key, place) order by place`;
}

/** A separate connection, closed after the test. */
let rival: Client | undefined;
async function startRival(): Promise<Client> {
  rival = new Client({ connectionString: settings().DATABASE_URL });
  await rival.connect();
  return rival;
}
afterEach(async () => {
  await rival?.end();
  rival = undefined;
});

/** Runs a change on a separate connection. Returns the backends that notified the workers, and the backend of the change. */
async function whoNotifies(
  change: (tx: SqlDb) => Promise<unknown>,
): Promise<{ notifying: number[]; by: number | undefined }> {
  const client = await startRival();
  const notifying: number[] = [];
  client.on('notification', ({ processId }) => notifying.push(processId));
  await client.query(`listen "jobs:insert"; listen ${WORK_CHANNEL}`);
  const writer = new Client({ connectionString: settings().DATABASE_URL });
  await writer.connect();
  const { rows } = await writer.query<{ pid: number }>('select pg_backend_pid() as pid');
  await runWithAfterCommit(async (opened) => {
    const tx = sqlDb((statement) => writer.query(statement));
    opened(tx);
    await writer.query('begin');
    await change(tx);
    await writer.query('commit');
  });
  await writer.end();
  await until('the workers are notified', () => notifying.length > 0);
  return { notifying, by: rows[0]?.pid };
}
