import {
  CAUSE,
  type DueHook,
  HOOK_JOINS,
  HOOK_STATE,
  IS_SLOW,
} from '#server/automation/deliveries/hook-queue.ts';
import { ALL_EVENTS, type LoggedEventKey } from '#server/contract/program-events.ts';
import { deliveryPool } from '#server/core/database/pools.ts';
import { WITHOUT_FLUSH } from '#server/core/database/sql.ts';
import { WORK_CHANNEL } from '#server/core/jobs/wake-workers.ts';

/** Maximum events that one statement fans out. */
export const FAN_OUT_MAX = 200;

/**
 * Deletes the oldest events from the fan-out queue and creates their deliveries, in one statement. A hook
 * gets an event if it is live, is older than the event, and has no filter or one of the event's values. An endpoint gets the
 * events of its list, except those that its own token caused. Skips
 * events that another worker is fanning out.
 * Also wakes the hooks: the caller claims hooks that no worker serves, as far as it has room. Workers that
 * serve the other hooks are notified.
 * The commit does not wait for the flush to disk. Recording a result does, and flushes everything before it
 * too. A database crash that loses deliveries also restores their events to the queue, so the fan-out is repeated.
 */
const STATEMENT = {
  name: 'fan-out',
  text: `
    with taken as (
      delete from events_to_fan_out where event_id = any (array(
        select event_id from events_to_fan_out order by event_id limit ${FAN_OUT_MAX} for update skip locked))
      returning event_id
    ), listed as materialized (
      select e.id, e.workspace_id, e.key, e.filter_values, e.created_at, e.body, e.actor, e.cause_id, e.trace_parent
      from taken t cross join lateral (select * from events where id = t.event_id limit 1) e
    ), made as (
      insert into deliveries (id, workspace_id, event_id, hook_id, next_attempt_at)
      select gen_random_uuid(), e.workspace_id, e.id, h.id, e.created_at
      from listed e
      join hooks h on h.workspace_id = e.workspace_id
        and (h.event = e.key or h.event = '*' and h.events && array[e.key, '${ALL_EVENTS}'])
      where h.removed_at is null and h.created_at <= e.created_at
        and (h.skips_token_id is null or h.skips_token_id is distinct from e.cause_id)
        and (h.filter_key is null or h.filter_key = any (e.filter_values))
      order by h.id, e.id
      on conflict (event_id, hook_id) do nothing
      returning id, event_id, hook_id, next_attempt_at
    ), meant as (
      select m.*, not ${IS_SLOW} and row_number() over (order by m.hook_id) <= $2::int
        and exists (select from worker_leases where pool_id = $1) as claims
      from (
        select distinct on (hook_id) hook_id, id, event_id, count(*) over (partition by hook_id) > 1 as more
        from made order by hook_id, next_attempt_at, event_id
      ) m join hooks h on h.id = m.hook_id
    ), woken as (
      insert into hook_queue (hook_id, due_at, claimed_by)
      select hook_id, clock_timestamp(), case when claims then $1::text end from meant order by hook_id
      on conflict (hook_id) do update set wakes = hook_queue.wakes + 1,
        due_at = least(hook_queue.due_at, excluded.due_at),
        claimed_by = coalesce(hook_queue.claimed_by, excluded.claimed_by)
      returning hook_id, claimed_by, wakes
    ), fanned as (
      select ${HOOK_STATE}, d.more, json_build_array(json_build_object(
        'id', d.id, 'eventId', e.id, 'body', e.body, 'attempts', 0, 'earlierAttempts', 0, 'cause', ${CAUSE}, 'traceParent', e.trace_parent)) as due
      from woken k
      join meant d on d.hook_id = k.hook_id
      join listed e on e.id = d.event_id
      ${HOOK_JOINS}
      where k.claimed_by = $1
    )
    select (select count(*) from taken)::int as taken, (select count(*) from made)::int as made,
      (select coalesce(json_agg(json_build_object('workspaceId', workspace_id, 'keys', keys)), '[]')
        from (
          select workspace_id,
            coalesce(array_agg(key) filter (where id in (select event_id from made)), '{}') as keys
          from listed group by workspace_id
        ) l) as events,
      (select coalesce(json_agg(f), '[]') from fanned f) as hooks,
      (select count(*) from woken where claimed_by is null)::int as unclaimed,
      (select count(pg_notify('${WORK_CHANNEL}', hook_id::text)) from woken where claimed_by <> $1)::int as notified,
      ${WITHOUT_FLUSH} as flush`,
};

export type FannedOut = {
  /** Number of events. At `FAN_OUT_MAX` there may be more. */
  taken: number;
  made: number;
  /** Workspaces of the events, with the keys of those that have new deliveries. */
  events: { workspaceId: string; keys: LoggedEventKey[] }[];
  /** Hooks with new deliveries that the caller now serves, each with its first new delivery. */
  hooks: DueHook[];
  /** Number of hooks with new deliveries that no worker serves. */
  unclaimed: number;
};

/**
 * Fans out queued events.
 * @param claim the worker's lease, and the number of further hooks it can serve
 */
export async function fanOut(claim: { leaseId: string; hooks: number }): Promise<FannedOut> {
  const { rows } = await deliveryPool().query<FannedOut>({
    ...STATEMENT,
    values: [claim.leaseId, claim.hooks],
  });
  return rows[0] ?? { taken: 0, made: 0, events: [], hooks: [], unclaimed: 0 };
}
