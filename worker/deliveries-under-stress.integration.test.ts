import { Worker as Thread } from 'node:worker_threads';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contactRecord } from '#server/contacts/contact-record.ts';
import { db, inTransaction, pool } from '#server/db.ts';
import { recordEvents } from '#server/events/record-events.ts';
import type { Hook } from '#server/generated/prisma/client.ts';
import { removeHooks } from '#server/hooks/remove-hooks.ts';
import { makeHook } from '#test/deliveries.ts';
import { withDeliveryService } from '#test/delivery-service.ts';
import { arrivals } from '#test/drilled-deliveries.ts';
import { makeConnection } from '#test/factories.ts';
import { PLATFORM } from '#test/settings.ts';
import { until } from '#test/until.ts';
import { makeContact } from '#test/whole-records.ts';
import { startWorker, type Worker } from '#worker/start-worker.ts';

const WRITERS = 16;
const CHANGES_EACH = 8;
const LIVE_HOOKS = 6;

const running = withDeliveryService();
let second: Worker;
beforeAll(async () => {
  second = await startWorker();
});
afterAll(() => second.stop());

/** Keeps both cores busy until it is called. */
function keepBusy(): () => Promise<unknown> {
  const threads = [1, 2].map(() => new Thread('for (;;) Math.random();', { eval: true }));
  return () => Promise.all(threads.map((thread) => thread.terminate()));
}

let hooksMade = 0;
/** A hook of a connection with a path of its own. */
function subscribe(connection: Awaited<ReturnType<typeof makeConnection>>): Promise<Hook> {
  hooksMade += 1;
  const targetUrl = `https://${PLATFORM.hooksHost}/hook/${hooksMade}`;
  return makeHook(connection, { event: 'contact.created', targetUrl });
}

test('two busy workers send every event once for each attempt, while hooks come and go and days are made', async () => {
  const connection = await makeConnection();
  const { workspaceId } = connection;
  const contact = contactRecord(await makeContact(workspaceId));
  const hooks: Hook[] = [];
  for (let n = 0; n < LIVE_HOOKS; n += 1) hooks.push(await subscribe(connection));
  let answered = 0;
  running().receiver.respond(() => {
    answered += 1;
    return { status: answered % 40 === 0 ? 404 : answered % 11 === 0 ? 500 : 200 };
  });

  const stopBusy = keepBusy();
  let writing = true;
  const write = async () => {
    for (let n = 0; n < CHANGES_EACH; n += 1) {
      await inTransaction((tx) =>
        recordEvents(tx, { workspaceId, events: [{ key: 'contact.created', payload: { contact } }] }),
      );
    }
  };
  const comeAndGo = async () => {
    while (writing) {
      const [oldest] = hooks.slice(-LIVE_HOOKS);
      hooks.push(await subscribe(connection));
      if (oldest)
        await inTransaction((tx) => removeHooks(tx, { workspaceId, id: oldest.id }, 'unsubscribed'));
    }
  };
  const makeDays = async () => {
    while (writing) {
      for (const table of ['deliveries', 'events']) {
        await unlessBusy(`add_history_day('${table}', '2031-05-05')`);
        await unlessBusy(`drop_history_day('${table}', '2031-05-05', now())`);
      }
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
  };
  try {
    const written = Promise.all(Array.from({ length: WRITERS }, write)).finally(() => {
      writing = false;
    });
    await Promise.all([written, comeAndGo(), makeDays()]);
    await until(
      'nothing is left to send',
      async () => {
        const left = await db().delivery.count({ where: { workspaceId, endedAt: null } });
        return left + (await db().eventToFanOut.count()) === 0;
      },
      60_000,
    );
  } finally {
    await stopBusy();
  }

  const counts = arrivals(running().receiver.received);
  const deliveries = await db().delivery.findMany({
    where: { workspaceId },
    include: { hook: true, attemptList: true },
  });
  expect(deliveries.length).toBeGreaterThan(WRITERS * CHANGES_EACH);
  const wrong = deliveries.flatMap(({ eventId, hook, attempts, attemptList, outcome }) => {
    const arrived = counts.get(`${eventId} at ${new URL(hook.targetUrl).pathname}`) ?? 0;
    const answered = attemptList.filter(({ statusCode }) => statusCode !== null).length;
    // An attempt that ran out of time on the busy machine may have arrived or not.
    const isRight = attemptList.length === attempts && arrived >= answered && arrived <= attempts;
    const mayEndSo = outcome !== 'cancelled' || hook.removedAt !== null;
    return isRight && mayEndSo ? [] : [{ arrived, answered, attempts, outcome, removedAt: hook.removedAt }];
  });
  expect(wrong).toEqual([]);
  await until('nobody drains them', async () => (await db().drain.count()) === 0);
}, 120_000);

/** Changes the days, unless its locks were not had in time: then it comes again. */
async function unlessBusy(change: string): Promise<void> {
  await pool()
    .query(`select ${change}`)
    .catch((error: { code?: string }) => {
      if (error.code !== '55P03') throw error;
    });
}
