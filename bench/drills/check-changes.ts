import { setTimeout as sleep } from 'node:timers/promises';
import type { DrillStage } from '#bench/drills/drilled-service.ts';
import { isAcknowledged, type RequestedChange } from '#bench/drills/writers.ts';
import { untilRecorded } from '#bench/lab/engine.ts';
import type { Sink } from '#bench/lab/sink.ts';
import { pool } from '#server/core/database/pools.ts';
import { DELIVERY_KEY, deliveryKey } from '#test/faults/delivery-keys.ts';

/** Rows of a change in the database, counted by kind. */
type Rows = { mark: string; parts: Record<string, number> };

const WHOLE: Record<RequestedChange['kind'], Record<string, number>> = {
  tag: { tag: 1, tagging: 1, sample: 1, event: 1 },
  conversation: { contact: 1, conversation: 1, message: 1, job: 1, event: 3 },
};

export type CheckedChanges = {
  /** Changes with missing rows. */
  half: string[];
  /** Acknowledged changes without any row. */
  lost: string[];
  complete: number;
};

/**
 * Checks that each change is complete (rows, timeline, events and job) or absent, and complete when its
 * client received a success. A message proves its job by being sent, so call `untilMailed` first.
 */
export async function checkChanges(
  workspaceId: string,
  requested: RequestedChange[],
): Promise<CheckedChanges> {
  const { rows } = await pool().query<Rows>(
    `with found (mark, part) as (
       select name, 'tag' from conversation_tags where workspace_id = $1 and name like 'drill-%'
       union all
       select name, 'tagging' from tagging_tags where workspace_id = $1 and name like 'drill-%'
       union all
       select filter, 'sample' from samples
       where workspace_id = $1 and event = 'conversation.tagged' and filter like 'drill-%'
       union all
       select filter, 'event' from events, unnest(filter_values) filter
       where workspace_id = $1 and key = 'conversation.tagged'
       union all
       select split_part(email, '@', 1), 'contact' from contacts
       where workspace_id = $1 and email like 'drill-%@elsewhere.test'
       union all
       select subject, 'conversation' from conversations where workspace_id = $1 and subject like 'drill-%'
       union all
       select split_part(content, ' ', 1), 'message' from messages where workspace_id = $1 and content like 'drill-%'
       union all
       select split_part(content, ' ', 1), 'job' from messages
       where workspace_id = $1 and content like 'drill-%' and send_status is distinct from 'queued'
       union all
       select substring(body from '(drill-[0-9]+)@elsewhere'), 'event' from events
       where workspace_id = $1 and key in ('contact.created', 'conversation.created', 'conversation.assigned')
     ), counted as (select mark, part, count(*)::int as number from found where mark is not null group by 1, 2)
     select mark, json_object_agg(part, number) as parts from counted group by mark`,
    [workspaceId],
  );
  const parts = new Map(rows.map((row) => [row.mark, row.parts]));
  const isComplete = ({ kind, mark }: RequestedChange) =>
    Object.entries(WHOLE[kind]).every(([part, count]) => parts.get(mark)?.[part] === count);
  const complete = requested.filter(isComplete);
  return {
    complete: complete.length,
    half: requested
      .filter((each) => parts.has(each.mark) && !isComplete(each))
      .map(({ mark }) => `${mark}: ${JSON.stringify(parts.get(mark))}`),
    lost: requested.filter((each) => isAcknowledged(each) && !parts.has(each.mark)).map(({ mark }) => mark),
  };
}

/** The hooks of a workspace and their receiver. */
export type Checked = { sink: Pick<Sink, 'report'>; stage: DrillStage };

export type CheckedDeliveries = { expected: number; missing: number; twice: number };

/**
 * Waits until all deliveries are sent and recorded, then compares the database's deliveries with the sink's
 * requests.
 */
export async function checkDeliveries(
  { sink, stage: { hookIds } }: Checked,
  timeoutMs = 90_000,
): Promise<CheckedDeliveries> {
  await untilRecorded(hookIds, timeoutMs);
  const { rows } = await pool().query<{ key: string; outcome: string }>(
    `select ${DELIVERY_KEY} as key, d.outcome
     from deliveries d join hooks h on h.id = d.hook_id where d.hook_id = any ($1::uuid[])`,
    [hookIds],
  );
  const { arrivals, requests } = await sink.report();
  const arrived = new Set(arrivals.map(({ id, path }) => deliveryKey(id, path)));
  const isMissing = ({ key, outcome }: { key: string; outcome: string }) =>
    outcome !== 'delivered' || !arrived.has(key);
  return {
    expected: rows.length,
    missing: rows.filter(isMissing).length,
    twice: requests - arrivals.length,
  };
}

/**
 * Timeout for mails, in ms. A failed job is retried after a pause. A mail with an unknown outcome is given up
 * a minute later, by a job that runs every minute.
 */
const MAILED_MS = 180_000;

/**
 * `queued` and `sending`: neither sent nor given up at the end of the wait. `seconds`: duration of the wait.
 */
type Mailed = { queued: number; sending: number; failed: number; seconds: number };

/**
 * Waits until every message of a new conversation was passed to the mail server or given up. A mail is given
 * up if its worker lost the database while sending.
 * @returns the number given up, and the number of pending mails at the timeout
 */
export async function untilMailed(workspaceId: string): Promise<Mailed> {
  const startedAt = performance.now();
  for (;;) {
    const { rows } = await pool().query<Omit<Mailed, 'seconds'>>(
      `select count(*) filter (where send_status = 'queued')::int as queued,
         count(*) filter (where send_status = 'sending')::int as sending,
         count(*) filter (where send_status = 'failed')::int as failed
       from messages where workspace_id = $1 and content like 'drill-%'`,
      [workspaceId],
    );
    const { queued, sending, failed } = rows[0] ?? { queued: 0, sending: 0, failed: 0 };
    const waitedMs = performance.now() - startedAt;
    if (queued + sending === 0 || waitedMs > MAILED_MS) {
      return { queued, sending, failed, seconds: waitedMs / 1_000 };
    }
    await sleep(100);
  }
}

/** Outcomes of all requested changes. `failed`: number of mails given up. */
export type Outcome = CheckedDeliveries & CheckedChanges & Mailed;

/** Waits until all work is done, and returns what became of the changes. */
export async function checkAll(service: Checked, requested: RequestedChange[]): Promise<Outcome> {
  const { workspaceId } = service.stage;
  const deliveries = await checkDeliveries(service);
  const mailed = await untilMailed(workspaceId);
  return { ...deliveries, ...mailed, ...(await checkChanges(workspaceId, requested)) };
}
