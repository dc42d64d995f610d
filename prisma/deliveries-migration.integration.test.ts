import type { Client } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeDatabase, db, pool } from '#server/core/database/db.ts';
import { listDeliveries } from '#server/screens/integrations/list-deliveries.ts';
import { createDatabaseBefore, type DatabaseBefore } from '#test/database-before.ts';
import { until } from '#test/fixtures/until.ts';
import { startReceiver } from '#test/servers/receiver.ts';
import { PLATFORM, setTestSettings } from '#test/servers/settings.ts';
import { startWorker } from '#worker/start-worker.ts';

/** The first that knows no jobs of single deliveries. */
const DRAINED_HOOKS = '20261122013626_drained_hooks';
/** The tasks of the version before. */
const TASKS = ['fan-out', 'deliver', 'deliver-slowly', 'cancel-deliveries'];

const workspaceId = uuidv7();
const hookId = uuidv7();
const removedHookId = uuidv7();
/** Events by what had become of them. */
const ids: Record<string, string> = {};
const eventOf = (name: string, msecs = Date.now() - 60_000) => {
  ids[name] ??= uuidv7({ msecs });
  return ids[name];
};

let database: DatabaseBefore;
let receiver: Awaited<ReturnType<typeof startReceiver>>;

beforeAll(async () => {
  database = await createDatabaseBefore(DRAINED_HOOKS);
  receiver = await startReceiver(PLATFORM.hooksHost);
  await fillAsBefore(database.client);
  await database.migrate();
});
afterAll(async () => {
  await closeDatabase();
  await receiver.stop();
  await database.drop();
});

/** Deliveries in every stage, events that are not fanned out, and the jobs of all that. */
async function fillAsBefore(client: Client): Promise<void> {
  const [userId, connectionId, integrationId] = [uuidv7(), uuidv7(), uuidv7()];
  await client.query(`
    insert into workspaces (id, name, plan) values ('${workspaceId}', 'Acme', 'growth');
    insert into users (id, name, email, email_verified, updated_at)
      values ('${userId}', 'Olivia', 'olivia@acme.test', true, now());
    insert into members (workspace_id, user_id, role) values ('${workspaceId}', '${userId}', 'owner');
    insert into integrations (id, workspace_id, kind, name)
      values ('${integrationId}', '${workspaceId}', 'platform', 'Platform');
    insert into connections (id, workspace_id, user_id, integration_id, teammate_name, teammate_email, exchanged_at)
      values ('${connectionId}', '${workspaceId}', '${userId}', '${integrationId}', 'Olivia', 'olivia@acme.test', now());
    insert into hooks (id, workspace_id, connection_id, event, target_url, in_flight, waiting, removed_at, removal_reason, created_at)
      select id::uuid, '${workspaceId}', '${connectionId}', 'conversation.created', 'https://${PLATFORM.hooksHost}/' || id,
        3, 2, removed_at, case when removed_at is not null then 'unsubscribed'::hook_removal end, now() - interval '2 days'
      from (values ('${hookId}', null::timestamptz), ('${removedHookId}', now())) as h (id, removed_at)`);
  const stages = ['queued', 'waiting', 'in_flight', 'handed_on'];
  for (const stage of stages) {
    await addDelivery(client, eventOf(stage), { stage, attempts: stage === 'waiting' ? 2 : 0 });
    await addDelivery(client, eventOf(`${stage}, removed`), { stage, hookId: removedHookId });
  }
  await addDelivery(client, eventOf('later'), { stage: 'queued', attempts: 1, dueIn: '1 hour' });
  await addDelivery(client, eventOf('long ago', Date.now() - 20 * 86_400_000), { stage: 'queued' });
  await addDelivery(client, eventOf('delivered'), { outcome: 'delivered', attempts: 3 });
  await addDelivery(client, eventOf('exhausted'), { outcome: 'exhausted', attempts: 5 });
  for (const name of ['in the queue', 'queued with its change', 'both']) {
    await addEvent(client, eventOf(name));
  }
  const payloads = (which: string) => [
    ['fan-out', { eventIds: [ids[which], ids.both, uuidv7()] }],
    ['deliver', { deliveryId: uuidv7(), attempt: 1 }],
    ['deliver-slowly', { deliveryId: uuidv7(), attempt: 1 }],
    ['cancel-deliveries', { hookIds: [removedHookId] }],
  ];
  for (const [task, payload] of payloads('in the queue')) {
    await client.query('select graphile_worker.add_job($1::text, $2::json)', [task, JSON.stringify(payload)]);
  }
  for (const [task, payload] of payloads('queued with its change')) {
    await client.query('insert into queued_jobs (task, payload) values ($1, $2)', [
      task,
      JSON.stringify(payload),
    ]);
  }
}

async function addEvent(client: Client, id: string): Promise<void> {
  await client.query(
    `insert into events (id, workspace_id, key, body)
     values ($1::uuid, $2, 'conversation.created', json_build_object('id', $1::uuid)::text)`,
    [id, workspaceId],
  );
}

async function addDelivery(
  client: Client,
  eventId: string,
  given: { stage?: string; outcome?: string; attempts?: number; hookId?: string; dueIn?: string },
): Promise<void> {
  const { stage = null, outcome = null, attempts = 0, dueIn = '-1 minute' } = given;
  await addEvent(client, eventId);
  await client.query(
    `with made as (
       insert into deliveries (id, workspace_id, event_id, hook_id, stage, attempts, next_attempt_at, ended_at, outcome)
       select gen_random_uuid(), $1::uuid, $2::uuid, $3::uuid, $4::delivery_stage, $5::int, case when $6::text is null then now() + $7::interval end,
         case when $6::text is not null then now() end, $6::text::delivery_outcome
       returning id
     )
     insert into attempts (delivery_id, number, outcome, started_at, duration_ms)
     select id, number, 'failed', now(), 5 from made, generate_series(1, $5::int) number`,
    [workspaceId, eventId, given.hookId ?? hookId, stage, attempts, outcome, dueIn],
  );
}

test('what was under way before the hooks were drained arrives, and what had ended is in the log', async () => {
  setTestSettings({
    DATABASE_URL: database.url,
    HOOKS_CONNECT_TO: receiver.connectTo,
    HOOKS_CA_FILE: receiver.caFile,
    HISTORY_DAYS: '30',
  });
  const worker = await startWorker();
  try {
    const open = () => db().delivery.count({ where: { endedAt: null, nextAttemptAt: { lte: new Date() } } });
    await until('nothing is due', async () => (await db().eventToFanOut.count()) + (await open()) === 0);
  } finally {
    await worker.stop();
  }
  const arrived = [
    ...['queued', 'waiting', 'in_flight', 'handed_on', 'long ago'],
    ...['in the queue', 'queued with its change', 'both'],
  ];
  expect(receiver.received.map(({ headers }) => headers['x-service-delivery']).toSorted()).toEqual(
    arrived.map((name) => eventOf(name)).toSorted(),
  );
  const { rows } = await listDeliveries(db(), { workspaceId, hookId });
  const states = new Map(
    await Promise.all(
      rows.map(async ({ id, state, attempts }) => {
        const { eventId } = await db().delivery.findFirstOrThrow({ where: { id } });
        const kept = await db().attempt.count({ where: { eventId, deliveryId: id } });
        return [eventId, { state, attempts, kept }] as const;
      }),
    ),
  );
  expect(states.size).toBe(arrived.length + 3);
  const stateOf = (name: string) => states.get(eventOf(name));
  expect(stateOf('delivered')).toEqual({ state: 'delivered', attempts: 3, kept: 3 });
  expect(stateOf('exhausted')).toEqual({ state: 'failed', attempts: 5, kept: 5 });
  expect(stateOf('waiting')).toEqual({ state: 'delivered', attempts: 3, kept: 3 });
  expect(stateOf('later')).toEqual({ state: 'retrying', attempts: 1, kept: 1 });
  expect(await db().delivery.count({ where: { hookId: removedHookId, outcome: 'cancelled' } })).toBe(4);
});

test('no job of the version before is left, where it would wait or fail for ever', async () => {
  const { rows } = await pool().query(
    `select task from queued_jobs where task = any ($1)
     union all
     select identifier from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
     where identifier = any ($1)`,
    [TASKS],
  );
  expect(rows).toEqual([]);
});
