import { expect } from 'vitest';
import { wakeHooks } from '#server/automation/deliveries/hook-queue.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { WAITING } from '#test/database/large-installation.ts';
import { readPlan } from '#test/database/read-plan.ts';
import { type Statement, statementsOf } from '#test/database/statements.ts';
import { allDelivered, hookCounts, makeDeliveries, makeHook } from '#test/fixtures/deliveries.ts';
import { test as deliveryTest } from '#test/fixtures/delivery-test.ts';
import { largeTemplate } from '#test/fixtures/large-workspace-test.ts';
import { printFigures } from '#test/fixtures/print-figures.ts';
import { until } from '#test/fixtures/until.ts';

const test = deliveryTest.extend('template', { scope: 'file' }, () => largeTemplate);

/** Maximum rows that one statement reads. The backlog and the history have many times as many. */
const ROWS_MAX = 1_000;

// `npm run bench -- backlog` checks that new events are as fast as without a backlog.
test('beside tens of thousands of waiting retries and a long history, no statement of a delivery scans a table or reads many rows', async ({
  connection,
  receiver,
}) => {
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
    const { scanned, rows } = await readPlan(statement);
    expect(
      scanned.filter((table) => table.endsWith('_default')),
      statement.text,
    ).toEqual([]);
    expect(rows, statement.text).toBeLessThan(ROWS_MAX);
    most = Math.max(most, rows);
  }
  printFigures(`beside ${WAITING} retries a statement of a delivery reads ${most} rows at most`);
});

/** A worker releases a hook that has nothing to send, which removes it from the queue. */
async function notServed(hookId: string): Promise<void> {
  await until('no worker serves it', async () => (await db().queuedHook.count({ where: { hookId } })) === 0);
}

/** Returns whether a statement is part of a delivery, and not of this test or of a periodic poll. */
function isPlanned({ text }: Statement): boolean {
  return /with (taken|asked|results|given|fast) as/.test(text);
}
