import { expect } from 'vitest';
import { countFailed } from '#server/automation/deliveries/redeliver-failed.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import type { Hook } from '#server/generated/prisma/client.ts';
import { getDelivery } from '#server/screens/integrations/get-delivery.ts';
import { listHookHealth } from '#server/screens/integrations/hook-health.ts';
import { type LogFilter, listDeliveries } from '#server/screens/integrations/list-deliveries.ts';
import { inBulk } from '#test/database/in-bulk.ts';
import { readPlan } from '#test/database/read-plan.ts';
import { type Statement, statementsOf } from '#test/database/statements.ts';
import { makeHook } from '#test/fixtures/deliveries.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';

// The cost of the log must not grow with it: no statement scans a table, and none reads many rows.
const test = serviceTest.extend('log', { scope: 'file' }, ({ service: _ }) => fillLog());

test.for(filters())(
  'the log filtered by %s is one query that reads an index and few rows',
  async ([_what, filter, found], { log: { workspaceId, busy, rare, empty } }) => {
    let rows: unknown[] = [];
    const statements = await statementsOf(async () => {
      rows = (await listDeliveries(db(), { workspaceId, ...filter({ busy, rare }) })).rows;
    });
    expect(rows).toHaveLength(found);
    expect(statements).toHaveLength(1);
    await expectIndexes(empty, statements, ROWS_MAX);
  },
);

test('an older page is found directly', async ({ log: { workspaceId, empty } }) => {
  const middle = await listDeliveries(db(), { workspaceId, until: daysAgo(2) });
  const statements = await statementsOf(() =>
    listDeliveries(db(), { workspaceId, cursor: middle.older ?? undefined }),
  );
  await expectIndexes(empty, statements, ROWS_MAX);
});

test('a delivery is found by its key', async ({ log: { workspaceId, empty } }) => {
  const { rows } = await listDeliveries(db(), { workspaceId });
  const statements = await statementsOf(() =>
    getDelivery(db(), { workspaceId, id: rows[0]?.id ?? '', platformName: 'Platform' }),
  );
  await expectIndexes(empty, statements, 20);
});

test('recent failures are counted without reading other deliveries', async ({
  log: { workspaceId, empty },
}) => {
  let failed = 0;
  const statements = await statementsOf(async () => {
    failed = await inTransaction((tx) => countFailed(tx, { workspaceId }));
  });
  expect(failed).toBe(78);
  await expectIndexes(empty, statements, 5 * failed);
});

test('the health of workflows reads the newest deliveries of each', async ({
  log: { workspaceId, empty },
}) => {
  const connections = await db().connection.findMany({ where: { workspaceId }, select: { id: true } });
  const ids = connections.map(({ id }) => id);
  await expectIndexes(empty, await statementsOf(() => listHookHealth(db(), ids)), 100);
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

async function expectIndexes(empty: string[], statements: Statement[], rowsMax: number): Promise<void> {
  const own = statements.filter(({ text }) => /\b(from|join)\b/i.test(text));
  expect(own.length).toBeGreaterThan(0);
  for (const statement of own) {
    const { scanned, rows } = await readPlan(statement);
    // Hooks and connections are few, and a future day has no rows.
    expect(scanned.filter((table) => !['hooks', 'connections', 'users', ...empty].includes(table))).toEqual(
      [],
    );
    expect(rows).toBeLessThanOrEqual(rowsMax);
  }
}

/** Fills a large log. `empty` names the daily partitions without rows. */
async function fillLog() {
  const connection = await makeConnection();
  const busy = await makeHook(connection);
  const rare = await makeHook(connection, { event: 'contact.created' });
  await fill(busy, BUSY);
  await fill(await makeHook(await makeConnection()), BUSY);
  await fill(rare, 60);
  await db().$executeRaw`analyze`;
  const empty = await db().$queryRaw<{ name: string }[]>`
    select relname as name from pg_class where relkind = 'r' and relname ~ '_[0-9]{8}$' and pg_relation_size(oid) = 0`;
  return { workspaceId: connection.workspaceId, busy, rare, empty: empty.map(({ name }) => name) };
}

/** Partitions are chosen by the time in an id. Ids after all days go into one partition; others could hit a day by chance. */
const fill = (hook: Hook, count: number) =>
  inBulk(
    (bulk) => bulk.$executeRaw`
    with made as materialized (
      select ('f' || substr(gen_random_uuid()::text, 2))::uuid as id, n, now() - n * interval '10 seconds' as created_at
      from generate_series(1, ${count}::int) n
    ), recorded as (
      insert into events (id, workspace_id, key, body, created_at)
      select id, ${hook.workspaceId}::uuid, ${hook.event}, '{}', created_at from made
    ), delivered as (
      insert into deliveries (id, workspace_id, event_id, hook_id, attempts, ended_at, outcome, created_at)
      select gen_random_uuid(), ${hook.workspaceId}::uuid, id, ${hook.id}::uuid, 1, created_at,
        (case when n % 1000 = 0 then 'cancelled' when n % 100 = 0 then 'dropped' else 'delivered' end)::delivery_outcome,
        created_at
      from made
      returning id, event_id, outcome, created_at
    )
    insert into attempts (event_id, delivery_id, number, outcome, status_code, started_at, duration_ms)
    select event_id, id, 1, (case when outcome = 'delivered' then 'delivered' else 'rejected' end)::attempt_outcome, 200, created_at, 1
    from delivered`,
  );

/** Deliveries of a busy hook. Every hundredth failed and every thousandth was cancelled. */
const BUSY = 30_000;

/** A page and one more with events, hooks and attempts, plus rows that an index passes over. */
const ROWS_MAX = 400;
