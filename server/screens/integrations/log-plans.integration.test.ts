import { expect } from 'vitest';
import { countFailed } from '#server/automation/deliveries/redeliver-failed.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import type { Hook } from '#server/generated/prisma/client.ts';
import { getDelivery } from '#server/screens/integrations/get-delivery.ts';
import { listHookHealth } from '#server/screens/integrations/hook-health.ts';
import { type LogFilter, listDeliveries } from '#server/screens/integrations/list-deliveries.ts';
import { LOG } from '#test/database/large-installation.ts';
import { readingOf } from '#test/database/read-plan.ts';
import { test as largeTest } from '#test/fixtures/large-workspace-test.ts';

// The cost of the log must not grow with it: no statement scans a table, and none reads many rows.
const test = largeTest.extend('log', { scope: 'file' }, ({ service: _ }) => findLog());

test.for(filters())(
  'the log filtered by %s is one query that reads an index and few rows',
  async ([_what, filter, found], { log: { workspaceId, busy, rare } }) => {
    let rows: unknown[] = [];
    const statements = await expectIndexes(ROWS_MAX, async () => {
      rows = (await listDeliveries(db(), { workspaceId, ...filter({ busy, rare }) })).rows;
    });
    expect(rows).toHaveLength(found);
    expect(statements).toBeLessThanOrEqual(1);
  },
);

test('an older page is found directly', async ({ log: { workspaceId } }) => {
  const middle = await listDeliveries(db(), { workspaceId, until: daysAgo(2) });
  await expectIndexes(ROWS_MAX, () =>
    listDeliveries(db(), { workspaceId, cursor: middle.older ?? undefined }),
  );
});

test('a delivery is found by its key', async ({ log: { workspaceId } }) => {
  const { rows } = await listDeliveries(db(), { workspaceId });
  const input = { workspaceId, id: rows[0]?.id ?? '', platformName: 'Platform' };
  await expectIndexes(25, async () => expect(await getDelivery(db(), input)).toBeTruthy());
});

test('recent failures are counted without reading other deliveries', async ({ log: { workspaceId } }) => {
  await expectIndexes(5 * FAILED_A_DAY, async () => {
    const failed = await inTransaction((tx) => countFailed(tx, { workspaceId }));
    expect(failed).toBeLessThanOrEqual(FAILED_A_DAY);
    // The log was filled during this run, which takes less than an hour or two.
    expect(failed).toBeGreaterThan(FAILED_A_DAY - 8);
  });
});

test('the health of workflows reads the newest deliveries of each', async ({ log: { workspaceId } }) => {
  const connections = await db().connection.findMany({ where: { workspaceId }, select: { id: true } });
  const ids = connections.map(({ id }) => id);
  await expectIndexes(100, () => listHookHealth(db(), ids));
});

type Hooks = { busy: Hook; rare: Hook };

function filters(): [string, (hooks: Hooks) => LogFilter, number][] {
  const period = () => ({ since: daysAgo(2), until: daysAgo(1) });
  return [
    ['everything', () => ({}), 50],
    ['a busy workflow', ({ busy }) => ({ hookId: busy.id }), 50],
    ['a workflow that rarely runs', ({ rare }) => ({ hookId: rare.id }), 50],
    ['an event that rarely occurs', () => ({ event: 'contact.created' }), 50],
    ['an event that nothing listens for', () => ({ event: 'operator.command' }), 0],
    ['delivered deliveries', () => ({ outcome: 'delivered' }), 50],
    ['failed deliveries', () => ({ outcome: 'failed' }), 50],
    ['failed deliveries of a busy workflow', ({ busy }) => ({ outcome: 'failed', hookId: busy.id }), 50],
    ['cancelled deliveries', () => ({ outcome: 'cancelled' }), 30],
    ['retried deliveries', () => ({ outcome: 'retrying' }), 0],
    ['waiting deliveries', () => ({ outcome: 'waiting' }), 0],
    ['a period', () => period(), 50],
    ['a period of a busy workflow', ({ busy }) => ({ ...period(), hookId: busy.id }), 50],
    ['failed deliveries in a period', () => ({ ...period(), outcome: 'failed' }), 50],
  ];
}

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

/** Expects that a call scans no partition with many rows, and reads few rows. Returns the number of its statements. */
async function expectIndexes(rowsMax: number, call: () => Promise<unknown>): Promise<number> {
  const { scanned, rows, statements } = await readingOf(call);
  expect(statements).toBeGreaterThan(0);
  expect(scanned.filter((table) => table.endsWith('_default'))).toEqual([]);
  expect(rows).toBeLessThanOrEqual(rowsMax);
  return statements;
}

async function findLog() {
  const { id: workspaceId } = await db().workspace.findFirstOrThrow({ where: { name: LOG } });
  const hookFor = (event: string) => db().hook.findFirstOrThrow({ where: { workspaceId, event } });
  return { workspaceId, busy: await hookFor('conversation.created'), rare: await hookFor('contact.created') };
}

/** Every hundredth of a delivery each ten seconds fails, except every tenth of these. */
const FAILED_A_DAY = 78;

/** A page and one more with events, hooks and attempts, plus rows that an index passes over. */
const ROWS_MAX = 400;
