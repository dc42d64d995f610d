import { expect } from 'vitest';
import { removeHooks } from '#server/automation/hooks/remove-hooks.ts';
import { pool } from '#server/core/database/pools.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { updateConversation } from '#server/inbox/conversations/update-conversation.ts';
import { arrivals, DELIVERY_KEY } from '#test/faults/delivery-keys.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { makeHook } from '#test/fixtures/deliveries.ts';
import { test as baseTest } from '#test/fixtures/fault-test.ts';
import { printFigures } from '#test/fixtures/print-figures.ts';
import { until } from '#test/fixtures/until.ts';
import { PLATFORM } from '#test/servers/settings.ts';

const test = baseTest.extend('settings', { scope: 'file' }, () => ({
  WORKER_CONCURRENCY: '40',
  DB_POOL_MAX: '20',
}));

test('16 writers, unsubscribed hooks and two workers cause no deadlock, and nothing is sent twice', async ({
  receiver,
  connection,
  startWorker,
}) => {
  const workers = [await startWorker(), await startWorker()];
  const { workspaceId, teammate } = connection;
  let paths = 0;
  const subscribe = () => {
    paths += 1;
    return makeHook(connection, { event: EVENT, targetUrl: `https://${PLATFORM.hooksHost}/hook/${paths}` });
  };
  const hooks = await Promise.all(Array.from({ length: HOOKS }, subscribe));
  // One in seven is refused: counting errors on a hook's row competes with removing hooks.
  receiver.respond(({ headers }) => ({
    status: String(headers['x-service-delivery']).endsWith('0') ? 400 : 200,
  }));

  const write = async () => {
    const id = await makeConversation(connection, { channel: 'webchat' });
    for (let change = 0; change < CHANGES_EACH; change += 1) {
      const status = change % 2 === 0 ? ('pending' as const) : ('open' as const);
      await updateConversation({
        workspaceId,
        id,
        actor: { kind: 'teammate', teammate },
        changes: { status },
      });
    }
  };
  const replace = async () => {
    for (const { id } of hooks.slice(0, REMOVED)) {
      await inTransaction((tx) => removeHooks(tx, { workspaceId, id }, 'unsubscribed'));
      await subscribe();
    }
  };
  await Promise.all([...Array.from({ length: WRITERS }, write), replace()]);

  const all = { workspaceId };
  await until('all events are fanned out', async () => (await db().eventToFanOut.count()) === 0);
  await until(
    'all deliveries have ended',
    async () => (await db().delivery.count({ where: { ...all, endedAt: null } })) === 0,
  );
  // A request that timed out on a busy machine may be sent again: then the earlier attempt is recorded.
  const attempts = await attemptsOf(workspaceId);
  const twice = [...arrivals(receiver.received)].filter(
    ([delivery, count]) => count > (attempts.get(delivery) ?? 0),
  );
  const kept = await db().delivery.count({
    where: { hookId: { in: hooks.slice(REMOVED).map(({ id }) => id) }, outcome: { not: 'cancelled' } },
  });
  printFigures(
    `${WRITERS} writers and two workers: ${receiver.received.length} sent, ${twice.length} of them twice`,
  );
  expect(kept).toBe((HOOKS - REMOVED) * WRITERS * CHANGES_EACH);
  expect(twice).toEqual([]);
  // The workers' sessions report their statistics when they close.
  await Promise.all(workers.map((worker) => worker.stop()));
  expect(await deadlocks()).toBe(0);
});

const deadlocks = async () => {
  const { rows } = await pool().query<{ deadlocks: number }>(
    'select deadlocks::int from pg_stat_database where datname = current_database()',
  );
  return rows[0]?.deadlocks;
};

/** Returns the number of recorded attempts of each delivery, by event and hook path. */
async function attemptsOf(workspaceId: string): Promise<Map<string, number>> {
  const { rows } = await pool().query<{ delivery: string; attempts: number }>(
    `select ${DELIVERY_KEY} as delivery,
       (select count(*)::int from attempts a where a.event_id = d.event_id and a.delivery_id = d.id) as attempts
     from deliveries d join hooks h on h.id = d.hook_id where d.workspace_id = $1`,
    [workspaceId],
  );
  return new Map(rows.map(({ delivery, attempts }) => [delivery, attempts]));
}

const EVENT = 'conversation.status_changed';
const WRITERS = 16;
const CHANGES_EACH = 5;
const HOOKS = 12;

/** Number of hooks that are unsubscribed and replaced during the test. */
const REMOVED = 6;
