import { describe, expect } from 'vitest';
import {
  countFailed,
  redeliverFailed,
  redeliverFailedBatch,
} from '#server/automation/deliveries/redeliver-failed.ts';
import { removeHooks } from '#server/automation/hooks/remove-hooks.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import type { Hook } from '#server/generated/prisma/client.ts';
import { makeHook } from '#test/fixtures/deliveries.ts';
import { type Connection, makeConnection } from '#test/fixtures/factories.ts';
import { test } from '#test/fixtures/hook-test.ts';
import { logDelivery } from '#test/fixtures/logged-deliveries.ts';
import { forgetJobs, queuedJobs } from '#test/fixtures/queued-jobs.ts';

test.beforeEach(({ service: _ }) => forgetJobs());

describe('redelivery of failed events', () => {
  test('covers failures of the last 24 hours, of live workflows of this workspace', async ({
    connection,
    hook,
  }) => {
    const removed = await makeHook(connection);
    const other = await makeHook(connection);
    await fail(hook, hoursAgo(23.9));
    await logDelivery(hook, { outcome: 'dropped', attempts: ['rejected'], createdAt: hoursAgo(1) });
    await fail(other);
    await fail(removed);
    await fail(hook, hoursAgo(24.1));
    await logDelivery(hook, { outcome: 'delivered', attempts: ['delivered'] });
    await logDelivery(hook, { outcome: 'cancelled' });
    await logDelivery(hook, { attempts: ['failed'] });
    await fail(await makeHook(await makeConnection()));
    await removeHooks(db(), { workspaceId: hook.workspaceId, id: removed.id }, 'gone');

    const { workspaceId } = connection;
    expect(await countFailed(db(), { workspaceId })).toBe(3);
    expect(await countFailed(db(), { workspaceId, hookId: hook.id })).toBe(2);
    expect(await countFailed(db(), { workspaceId, hookId: removed.id })).toBe(0);
    expect(await countFailed(db(), { workspaceId, hookId: 'no id' })).toBe(0);

    expect(await redeliver(connection)).toBe(3);
    expect(await batch(connection)).toEqual({ resent: 3, more: false });
    expect(await countFailed(db(), { workspaceId })).toBe(0);
    expect(await due(removed)).toBe(0);
  });

  test('is requested once and done by a job, and the audit log names the teammate', async ({
    connection,
    hook,
  }) => {
    await fail(hook);
    expect(await redeliver(connection, hook.id)).toBe(1);
    expect(await queuedJobs()).toEqual([
      {
        task: 'redeliver-failed',
        payload: { workspaceId: hook.workspaceId, hookId: hook.id, before: expect.stringMatching(/Z$/) },
      },
    ]);
    expect(
      await db().auditEntry.findMany({
        where: { workspaceId: hook.workspaceId, kind: 'failed_events_redelivered' },
      }),
    ).toMatchObject([
      {
        workspaceId: hook.workspaceId,
        userId: connection.teammate.id,
        data: { events: '1', hookId: hook.id },
      },
    ]);
  });

  test('is refused when there are no failed events', async ({ connection, hook }) => {
    await logDelivery(hook, { outcome: 'delivered', attempts: ['delivered'] });
    await expect(redeliver(connection)).rejects.toMatchObject({
      refusal: 'invalid',
      message: 'There are no failed events of the last 24 hours to send again.',
    });
    expect(await queuedJobs()).toEqual([]);
  });
});

describe('a batch', () => {
  test('makes failed deliveries due immediately, paces their workflow, and wakes its worker', async ({
    connection,
    hook,
  }) => {
    for (let i = 0; i < 25; i += 1) await fail(hook, hoursAgo(2 - i / 100));
    expect(await batch(connection)).toEqual({ resent: 25, more: false });

    const { throttledAt } = await db().hook.findUniqueOrThrow({ where: { id: hook.id } });
    expect(throttledAt).not.toBeNull();
    expect(await due(hook)).toBe(25);
    expect(await db().queuedHook.count({ where: { hookId: hook.id } })).toBe(1);
  });

  test('redelivers the 500 oldest failures, and queues the next batch for after them', async ({
    connection,
    hook,
  }) => {
    await db().$executeRaw`
      with made as materialized (select gen_random_uuid() as id, n from generate_series(1, 620) n), recorded as (
        insert into events (id, workspace_id, key, body)
        select id, ${hook.workspaceId}::uuid, ${hook.event}, '{}' from made
      )
      insert into deliveries (id, workspace_id, event_id, hook_id, attempts, outcome, ended_at)
      select gen_random_uuid(), ${hook.workspaceId}::uuid, id, ${hook.id}::uuid, 1, 'dropped',
        now() - n * interval '1 second'
      from made`;
    const before = new Date();
    expect(await batch(connection, before)).toEqual({ resent: 500, more: true });
    const after = Date.now();
    const left = await db().delivery.findMany({ where: { hookId: hook.id, outcome: 'dropped' } });
    expect(left).toHaveLength(120);
    const oldestLeft = Math.min(...left.map(({ endedAt }) => Number(endedAt)));
    expect(oldestLeft).toBeGreaterThan(before.getTime() - 122_000);

    const next = (await queuedJobs()).filter(({ task }) => task === 'redeliver-failed');
    expect(next).toEqual([
      {
        task: 'redeliver-failed',
        payload: { workspaceId: hook.workspaceId, hookId: null, before: before.toISOString() },
      },
    ]);
    const [job] = await db().$queryRaw<[{ runAt: Date }]>`
      select run_at as "runAt" from graphile_worker._private_jobs where key like 'redeliver-failed%'`;
    const queuedAt = Number(job.runAt) - 25_000;
    expect(queuedAt).toBeGreaterThanOrEqual(before.getTime());
    expect(queuedAt).toBeLessThanOrEqual(after);

    // The first batch's job runs again after a crash: it must not start a second chain of batches.
    await db().$executeRaw`
      update deliveries set outcome = 'dropped', ended_at = now() - interval '1 hour', next_attempt_at = null
      where hook_id = ${hook.id}::uuid`;
    await batch(connection, before);
    expect((await queuedJobs()).filter(({ task }) => task === 'redeliver-failed')).toHaveLength(1);
  });

  test('skips failures after the request, so that no event repeats endlessly', async ({
    connection,
    hook,
  }) => {
    await fail(hook, hoursAgo(2));
    await fail(hook, hoursAgo(1));
    expect(await batch(connection, hoursAgo(1.5))).toEqual({ resent: 1, more: false });
    await db().$executeRaw`
      update deliveries set outcome = 'exhausted', ended_at = now(), next_attempt_at = null
      where hook_id = ${hook.id}::uuid`;
    expect(await batch(connection, hoursAgo(1.5))).toEqual({ resent: 0, more: false });
  });

  test('may run repeatedly and concurrently: no delivery is made due twice', async ({ connection, hook }) => {
    const hooks = [hook, await makeHook(connection), await makeHook(connection)];
    for (const each of hooks) for (let i = 0; i < 15; i += 1) await fail(each);
    const before = new Date();
    const batches = await Promise.all(Array.from({ length: 4 }, () => batch(connection, before)));
    expect(batches.reduce((sum, { resent }) => sum + resent, 0)).toBe(45);
    for (const each of hooks) expect(await due(each)).toBe(15);
  });

  test('of one workflow leaves other workflows unchanged', async ({ connection, hook }) => {
    const other = await makeHook(connection);
    await fail(hook);
    await fail(other);
    expect(await batch(connection, new Date(), other.id)).toEqual({ resent: 1, more: false });
    expect(await due(hook)).toBe(0);
    expect((await db().hook.findUniqueOrThrow({ where: { id: hook.id } })).throttledAt).toBeNull();
  });
});

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
const fail = (of: Hook, createdAt = hoursAgo(1)) =>
  logDelivery(of, { outcome: 'exhausted', attempts: ['failed'], createdAt });
const redeliver = (connection: Connection, hookId?: string) => {
  const { workspaceId, teammate: by } = connection;
  return inTransaction((tx) => redeliverFailed(tx, { workspaceId, hookId, by }));
};
const batch = (connection: Connection, before = new Date(), hookId: string | null = null) =>
  redeliverFailedBatch({ workspaceId: connection.workspaceId, hookId, before });
const due = (of: Hook) =>
  db().delivery.count({ where: { hookId: of.id, endedAt: null, nextAttemptAt: { lte: new Date() } } });
