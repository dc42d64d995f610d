import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import type { Hook } from '#server/generated/prisma/client.ts';
import { db, pool } from '#server/ground/db.ts';
import { makeDeliveries, makeHook } from '#test/deliveries.ts';
import { withDeliveryService } from '#test/delivery-service.ts';
import { makeConnection } from '#test/factories.ts';
import { hookCounts } from '#test/hook-counts.ts';
import { inBulk } from '#test/in-bulk.ts';
import { printFigures } from '#test/print-figures.ts';
import { type Statement, statementsOf } from '#test/statements.ts';
import { until } from '#test/until.ts';

const running = withDeliveryService();
const BACKLOG = 100_000;
const HISTORY = 20_000;

const delivered = (hook: Hook) => db().delivery.count({ where: { hookId: hook.id, outcome: 'delivered' } });

/** How long 200 fresh events of a new hook take, in milliseconds. */
async function freshEvents(): Promise<number> {
  const hook = await makeHook(await makeConnection());
  const start = performance.now();
  await makeDeliveries(hook, 200);
  await until('all have arrived', async () => (await delivered(hook)) === 200);
  return performance.now() - start;
}

/** Ended deliveries, and more that wait for their next attempt. */
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
     insert into drains (hook_id, due_at) values ($3::uuid, now() + interval '30 minutes')`,
      hook.workspaceId,
      hook.event,
      hook.id,
    ),
  );
  await inBulk((bulk) => bulk.$executeRaw`analyze`);
}

/** The median of three times, of which the first after a pause may be a slow one. */
async function freshEventsUsually(): Promise<number> {
  const times = [await freshEvents(), await freshEvents(), await freshEvents()].toSorted((a, b) => a - b);
  return times[1] ?? 0;
}

let alone: number;
beforeAll(async () => {
  await freshEvents();
  alone = await freshEventsUsually();
  await makeBacklog();
});

test('100,000 waiting retries and a long history do not slow fresh events', async () => {
  const beside = await freshEventsUsually();
  printFigures(
    `200 fresh events in ${Math.round(alone)} ms alone, in ${Math.round(beside)} ms beside ${BACKLOG} retries`,
  );
  expect(beside).toBeLessThan(3 * alone);
});

test('nothing that delivers goes through a table from end to end', async () => {
  const hook = await makeHook(await makeConnection());
  const open: (() => void)[] = [];
  running().receiver.respond(() => new Promise((resolve) => open.push(() => resolve({ status: 200 }))));
  const statements = await statementsOf(async () => {
    await makeDeliveries(hook, 15);
    await until('five wait', async () => (await hookCounts(hook.id)).made === 15 && open.length === 10);
    running().receiver.respond(() => ({ status: 200 }));
    for (const respond of open) respond();
    await until('all have arrived', async () => (await delivered(hook)) === 15);
    await until(
      'no one drains it',
      async () => (await db().drain.count({ where: { hookId: hook.id } })) === 0,
    );
  });
  const distinct = new Map(statements.filter(isPlanned).map((statement) => [statement.text, statement]));
  const texts = [...distinct.keys()].join('\n');
  for (const name of ['with taken as', 'with asked as', 'with results as', 'with given as', 'with fast as']) {
    expect(texts).toContain(name);
  }
  for (const statement of distinct.values()) {
    expect(await scanned(statement), statement.text).toEqual([]);
  }
});

/** Statements of the delivery itself, not of this test or of the once-a-minute look. */
function isPlanned({ text }: Statement): boolean {
  return /with (taken|asked|results|given|fast) as/.test(text);
}

const planNode: z.ZodType<{ 'Node Type': string; 'Relation Name'?: string | undefined; Plans?: unknown }> =
  z.looseObject({ 'Node Type': z.string(), 'Relation Name': z.string().optional() });
const planned = z.array(z.object({ 'QUERY PLAN': z.array(z.object({ Plan: planNode })) }));

/** The partitions with the backlog that the plan of a statement would go through from end to end. */
async function scanned({ text, values }: Statement): Promise<string[]> {
  const { rows } = await pool().query(`explain (format json) ${text}`, values);
  const nodes = planned.parse(rows).flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan }) => flatten(Plan)));
  return nodes
    .filter((node) => node['Node Type'] === 'Seq Scan')
    .map((node) => node['Relation Name'] ?? '')
    .filter((table) => ['deliveries_default', 'events_default', 'attempts_default'].includes(table));
}

function flatten(node: z.infer<typeof planNode>): z.infer<typeof planNode>[] {
  const below = z.array(planNode).catch([]).parse(node.Plans);
  return [node, ...below.flatMap(flatten)];
}
