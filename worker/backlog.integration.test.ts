import { expect } from 'vitest';
import { z } from 'zod';
import { wakeHooks } from '#server/automation/deliveries/dispatch/hook-queue.ts';
import { pool } from '#server/core/database/pools.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { inBulk } from '#test/database/in-bulk.ts';
import { type Statement, statementsOf } from '#test/database/statements.ts';
import { allDelivered, hookCounts, makeDeliveries, makeHook } from '#test/fixtures/deliveries.ts';
import { test } from '#test/fixtures/delivery-test.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { printFigures } from '#test/fixtures/print-figures.ts';
import { until } from '#test/fixtures/until.ts';

const BACKLOG = 100_000;
const HISTORY = 20_000;

/** Maximum rows that one statement reads. The backlog and the history have many times as many. */
const ROWS_MAX = 1_000;

// `npm run bench -- backlog` checks that new events are as fast as without a backlog.
test('beside 100,000 waiting retries and a long history, no statement of a delivery scans a table or reads many rows', async ({
  connection,
  receiver,
}) => {
  await makeBacklog();
  const hook = await makeHook(connection);
  const open: (() => void)[] = [];
  receiver.respond(() => new Promise((resolve) => open.push(() => resolve({ status: 200 }))));
  const statements = await statementsOf(async () => {
    await makeDeliveries(hook, 15);
    await until(
      'five deliveries wait',
      async () => (await hookCounts(hook.id)).made === 15 && open.length === 10,
    );
    receiver.respond(() => ({ status: 200 }));
    for (const respond of open) respond();
    await allDelivered([hook], 15);
    await notServed(hook.id);
    // Fan-outs claim hooks, so no statement has claimed this one yet.
    await inTransaction((tx) => wakeHooks(tx, [hook.id]));
    await notServed(hook.id);
  });
  const distinct = new Map(statements.filter(isPlanned).map((statement) => [statement.text, statement]));
  const texts = [...distinct.keys()].join('\n');
  for (const name of ['with taken as', 'with asked as', 'with results as', 'with given as', 'with fast as']) {
    expect(texts).toContain(name);
  }
  let most = 0;
  for (const statement of distinct.values()) {
    const { scanned, rows } = await explain(statement);
    expect(scanned, statement.text).toEqual([]);
    expect(rows, statement.text).toBeLessThan(ROWS_MAX);
    most = Math.max(most, rows);
  }
  printFigures(`beside ${BACKLOG} retries a statement of a delivery reads ${most} rows at most`);
});

/** A worker releases a hook that has nothing to send, which removes it from the queue. */
async function notServed(hookId: string): Promise<void> {
  await until('no worker serves it', async () => (await db().queuedHook.count({ where: { hookId } })) === 0);
}

const planNode: z.ZodType<PlanNode> = z.looseObject({
  'Node Type': z.string(),
  'Relation Name': z.string().optional(),
  'Actual Rows': z.number(),
  'Actual Loops': z.number(),
  'Rows Removed by Filter': z.number().optional(),
});

const planned = z.array(z.object({ 'QUERY PLAN': z.array(z.object({ Plan: planNode })) }));

/** Creates finished deliveries, and deliveries that wait for their next attempt. */
async function makeBacklog(): Promise<void> {
  const hook = await makeHook(await makeConnection());
  await inBulk((bulk) =>
    bulk.$executeRawUnsafe(
      `with recorded as (
       insert into events (id, workspace_id, key, body)
       select gen_random_uuid(), $1::uuid, $2, '{}' from generate_series(1, ${HISTORY + BACKLOG}) returning id
     ), made as (
       insert into deliveries (id, workspace_id, event_id, hook_id, attempts, next_attempt_at, ended_at, outcome)
       select gen_random_uuid(), $1::uuid, id, $3::uuid, 1,
         case when place > ${HISTORY} then now() + interval '30 minutes' end,
         case when place <= ${HISTORY} then now() end,
         case when place <= ${HISTORY} then 'delivered'::delivery_outcome end
       from (select id, row_number() over () as place from recorded) numbered
     )
     insert into hook_queue (hook_id, due_at) values ($3::uuid, now() + interval '30 minutes')`,
      hook.workspaceId,
      hook.event,
      hook.id,
    ),
  );
  await inBulk((bulk) => bulk.$executeRaw`analyze`);
}

/** Returns whether a statement is part of a delivery, and not of this test or of a periodic poll. */
function isPlanned({ text }: Statement): boolean {
  return /with (taken|asked|results|given|fast) as/.test(text);
}

type PlanNode = {
  'Node Type': string;
  'Relation Name'?: string | undefined;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number | undefined;
  Plans?: unknown;
};

/**
 * Runs a statement again in a transaction and rolls back.
 * @returns the partitions with the backlog that the plan scans sequentially, and the number of rows that its
 *     scans read
 */
async function explain({ text, values }: Statement): Promise<{ scanned: string[]; rows: number }> {
  const client = await pool().connect();
  try {
    await client.query('begin');
    const result = await client.query(`explain (analyze, format json) ${text}`, values);
    await client.query('rollback');
    const nodes = planned
      .parse(result.rows)
      .flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan }) => flatten(Plan)))
      .filter((node) => node['Node Type'].includes('Scan'));
    const scanned = nodes
      .filter((node) => node['Node Type'] === 'Seq Scan')
      .map((node) => node['Relation Name'] ?? '')
      .filter((table) => ['deliveries_default', 'events_default', 'attempts_default'].includes(table));
    const rows = nodes.map(
      (node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
    );
    return { scanned, rows: rows.reduce((sum, count) => sum + count, 0) };
  } finally {
    client.release();
  }
}

function flatten(node: PlanNode): PlanNode[] {
  const below = z.array(planNode).catch([]).parse(node.Plans);
  return [node, ...below.flatMap(flatten)];
}
