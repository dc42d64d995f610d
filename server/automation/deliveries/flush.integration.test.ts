import { Client } from 'pg';
import { expect } from 'vitest';
import { fanOut } from '#server/automation/deliveries/fan-out.ts';
import { db } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { wakeForEvents } from '#server/core/jobs/wake-workers.ts';
import { settleRuns } from '#server/core/run-coalesced.ts';
import { statementsOf } from '#test/database/statements.ts';
import { answered, attemptedDelivery, record } from '#test/fixtures/attempts.ts';
import { test as hookTest } from '#test/fixtures/hook-test.ts';

const test = hookTest.extend('client', { scope: 'file' }, async ({ service: _ }, { onCleanup }) => {
  const client = new Client({ connectionString: settings().DATABASE_URL });
  onCleanup(() => client.end());
  await client.connect();
  return client;
});

test('nothing between a commit and its requests waits for the disk', async ({ client }) => {
  const woken = await flushesOf(client, async () => {
    wakeForEvents();
    await settleRuns();
  });
  expect(woken).toEqual(['off']);
  expect(await flushesOf(client, () => fanOut({ leaseId: 'a worker', hooks: 10 }))).toEqual(['off']);
});

test('a recorded result is flushed to disk', async ({ client, hook }) => {
  const delivery = await attemptedDelivery(hook);
  const recorded = await flushesOf(client, () => record(delivery, 1, answered(200)));
  expect(recorded).toEqual(['on']);
  expect(await db().delivery.findFirst({ where: { hookId: hook.id } })).toMatchObject({ attempts: 1 });
});

/** Returns `synchronous_commit` as each statement of `work` sets it, on a database with default settings. */
async function flushesOf(client: Client, work: () => Promise<unknown>): Promise<string[]> {
  const flushes: string[] = [];
  for (const { text, values } of await statementsOf(work)) {
    await client.query('set synchronous_commit = on');
    await client.query('begin');
    await client.query(text, values);
    const { rows } = await client.query<{ synchronous_commit: string }>('show synchronous_commit');
    flushes.push(rows[0]?.synchronous_commit ?? '');
    await client.query('rollback');
  }
  return flushes;
}
