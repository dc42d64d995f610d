import { v7 as uuidv7 } from 'uuid';
import { describe, expect } from 'vitest';
import { removeOldHistory } from '#server/automation/deliveries/remove-old-history.ts';
import { pool } from '#server/core/database/pools.ts';
import { db } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import type { Delivery, Hook } from '#server/generated/prisma/client.ts';
import { countLockWaiters } from '#test/database/count-lock-waiters.ts';
import { makeHook } from '#test/fixtures/deliveries.ts';
import { test } from '#test/fixtures/hook-test.ts';
import { until } from '#test/fixtures/until.ts';

test('deliveries and events are retained for HISTORY_DAYS after they ended, and not longer', async ({
  hook,
}) => {
  const old = await history(hook, 15);
  const young = await history(hook, 13);
  const sentAgain = await history(hook, 15, { endedAt: daysAgo(1) });
  const waits = await history(hook, 15, {
    endedAt: null,
    outcome: null,
    nextAttemptAt: new Date(),
  });
  await removeOldHistory();
  expect(await isThere(old)).toEqual(GONE);
  expect(await isThere(young)).toEqual(KEPT);
  expect(await isThere(sentAgain)).toEqual(KEPT);
  expect(await isThere(waits)).toEqual(KEPT);

  Object.assign(settings(), { HISTORY_DAYS: 12 });
  await removeOldHistory();
  Object.assign(settings(), { HISTORY_DAYS: 14 });
  expect(await isThere(young)).toEqual(GONE);
});

test('a removed hook is retained for HISTORY_DAYS, and while it has deliveries', async ({ connection }) => {
  const removed = async (days: number) =>
    db().hook.update({
      where: { id: (await makeHook(connection)).id },
      data: { removedAt: daysAgo(days), removalReason: 'gone' },
    });
  const live = await makeHook(connection);
  const [young, old, oldWithLog] = [await removed(13), await removed(15), await removed(15)];
  await history(oldWithLog, 15, { endedAt: daysAgo(13) });
  await removeOldHistory();
  const left = await db().hook.findMany({ where: { connectionId: connection.id }, select: { id: true } });
  expect(left.map(({ id }) => id).toSorted()).toEqual([live.id, young.id, oldWithLog.id].toSorted());
  expect(left).not.toContainEqual({ id: old.id });
});

test('many rows are deleted in several batches', async ({ hook }) => {
  await db().event.createMany({
    data: Array.from({ length: 2_500 }, () => ({
      id: uuidv7({ msecs: daysAgo(20).getTime() }),
      workspaceId: hook.workspaceId,
      key: hook.event,
      body: '{}',
      createdAt: daysAgo(20),
    })),
  });
  expect(await removeOldHistory()).toBe(2_500);
  expect(await removeOldHistory()).toBe(0);
});

test('a day is dropped except for undelivered and recently redelivered events', async ({ hook }) => {
  const day = await makeDay(17);
  const old = await history(hook, 17);
  const waits = await history(hook, 17, { endedAt: null, outcome: null, nextAttemptAt: new Date() });
  const sentAgain = await history(hook, 17, { endedAt: daysAgo(1), earlierAttempts: 1 });
  expect(await partitionsOf(day)).toHaveLength(3);
  await removeOldHistory();
  expect(await partitionsOf(day)).toEqual([]);
  expect(await isThere(old)).toEqual(GONE);
  expect(await isThere(waits)).toEqual(KEPT);
  expect(await isThere(sentAgain)).toEqual(KEPT);
});

test('partitions are created ahead, and receive rows that arrived without them', async ({ hook }) => {
  const ahead = daysAgo(-2);
  const day = ahead.toISOString().slice(0, 10).replaceAll('-', '');
  for (const table of ['deliveries', 'attempts', 'events']) {
    await db().$executeRawUnsafe(`drop table ${table}_${day}`);
  }
  const kept = await history(hook, -2);
  await removeOldHistory();
  expect(await partitionsOf(day)).toEqual([`attempts_${day}`, `deliveries_${day}`, `events_${day}`]);
  expect(await isThere(kept)).toEqual(KEPT);
  const [row] = await db().$queryRaw<{ partition: string }[]>`
    select tableoid::regclass::text as partition from events where id = ${kept.eventId}::uuid`;
  expect(row?.partition).toBe(`events_${day}`);
});

test('the deliveries of each day are vacuumed after a number of dead rows, which does not grow with the day', async () => {
  const day = await makeDay(21);
  const { rows } = await pool().query<{ name: string; options: string[] }>(
    `select relname as name, reloptions as options from pg_inherits join pg_class on pg_class.oid = inhrelid
     where inhparent = 'deliveries'::regclass and relname <> 'deliveries_default'`,
  );
  expect(rows.map(({ name }) => name)).toContain(`deliveries_${day}`);
  // The migration made the others.
  expect(rows.length).toBeGreaterThan(1);
  for (const { options } of rows) {
    expect(options).toEqual(['autovacuum_vacuum_scale_factor=0', 'autovacuum_vacuum_threshold=10000']);
  }
});

describe('changing partitions never deadlocks', () => {
  const WAITED_TOO_LONG = '55P03';

  test.for([
    ['hooks', 'deliveries', "drop_history_day('deliveries', $1::date, now())"],
    ['workspaces', 'events', "drop_history_day('events', $1::date, now())"],
    ['hooks', 'deliveries', "add_history_day('deliveries', $1::date + 1000)"],
    ['workspaces', 'events', "add_history_day('events', $1::date + 1000)"],
  ] as const)(
    'with a transaction that locked a row of %s and then needs %s: %s',
    async ([held, needed, change], { hook }) => {
      const day = '2031-05-05';
      await pool().query(`select add_history_day('${needed}', $1::date)`, [day]);
      const other = await pool().connect();
      try {
        await other.query('begin');
        await other.query("set local deadlock_timeout = '50ms'");
        await other.query(`update ${held} set created_at = created_at where id = $1`, [
          held === 'hooks' ? hook.id : hook.workspaceId,
        ]);
        let outcome: string | undefined;
        const changing = pool()
          .query(`select ${change}`, [day])
          .then(
            () => 'done',
            (error: { code: string }) => error.code,
          )
          .then((ended) => {
            outcome = ended;
          });
        // The statement waits only briefly, which a busy machine may not observe.
        await until('it waits, or has finished', async () => outcome ?? (await countLockWaiters()) === 1);
        await other.query(`delete from ${needed} where workspace_id = $1`, [hook.workspaceId]);
        await other.query('commit');
        await changing;
        expect(['done', WAITED_TOO_LONG]).toContain(outcome);
      } finally {
        other.release(true);
      }
    },
  );

  test('and continues in the same run after a lock timeout', async ({ connection }) => {
    const old = await history(await makeHook(connection), 20);
    const day = new Date(daysAgo(20)).toISOString().slice(0, 10);
    for (const parent of ['deliveries', 'attempts', 'events']) {
      await pool().query('select add_history_day($1, $2::date)', [parent, day]);
    }
    const other = await pool().connect();
    try {
      await other.query('begin');
      await other.query('select 1 from hooks limit 1 for update');
      const removing = removeOldHistory();
      await until('it waits', async () => (await countLockWaiters()) === 1);
      await until('it has released the queue', async () => (await countLockWaiters()) === 0);
      await other.query('commit');
      await removing;
      expect(await isThere(old)).toEqual(GONE);
    } finally {
      other.release(true);
    }
  });
});

const DAY_MS = 24 * 3_600_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);

async function history(hook: Hook, days: number, delivery: Partial<Delivery> = {}): Promise<Delivery> {
  const createdAt = daysAgo(days);
  const { workspaceId, event: key } = hook;
  const id = uuidv7({ msecs: createdAt.getTime() });
  const event = await db().event.create({ data: { id, workspaceId, key, body: '{}', createdAt } });
  const ended = { endedAt: createdAt, outcome: 'delivered', attempts: 1 } as const;
  return db().delivery.create({
    data: {
      workspaceId,
      eventId: event.id,
      hookId: hook.id,
      createdAt,
      ...ended,
      ...delivery,
      attemptList: { create: { number: 1, outcome: 'delivered', startedAt: createdAt, durationMs: 5 } },
    },
  });
}

const isThere = async ({ id, eventId }: Delivery) => ({
  delivery: (await db().delivery.count({ where: { id } })) === 1,
  attempts: (await db().attempt.count({ where: { deliveryId: id } })) === 1,
  event: (await db().event.count({ where: { id: eventId } })) === 1,
});
const KEPT = { delivery: true, attempts: true, event: true };
const GONE = { delivery: false, attempts: false, event: false };

async function makeDay(days: number): Promise<string> {
  const day = daysAgo(days).toISOString().slice(0, 10);
  for (const table of ['deliveries', 'attempts', 'events']) {
    await db().$executeRaw`select add_history_day(${table}::text, ${day}::date)`;
  }
  return day.replaceAll('-', '');
}

async function partitionsOf(day: string): Promise<string[]> {
  const rows = await db().$queryRaw<{ name: string }[]>`
    select relname as name from pg_class where relkind = 'r' and relname like ${`%\\_${day}`} order by 1`;
  return rows.map(({ name }) => name);
}
