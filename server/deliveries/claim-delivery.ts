import { pool } from '#server/db.ts';
import { hookLimits, paceOf, START_AT, START_BY } from '#server/deliveries/pace.ts';
import type { EventKey } from '#server/events/catalogue.ts';
import type { Role } from '#server/generated/prisma/enums.ts';

/** What the job of an attempt says. */
export type DueAttempt = {
  deliveryId: string;
  /** Counts from 1. */
  attempt: number;
  /** Whether the job came with a slot of the delivery before it. */
  handedOn: boolean;
  /** The worker pool that runs the job. */
  poolId: string;
};

/** All that one attempt needs to know, in one round trip. */
export type ClaimedDelivery = {
  id: string;
  event_id: string;
  event_key: EventKey;
  body: string;
  hook_id: string;
  target_url: string;
  hook_is_live: boolean;
  connection_id: string;
  workspace_id: string;
  user_id: string | null;
  role: Role | null;
  /** Attempts made before it was last sent again by hand. */
  earlier_attempts: number;
  /** How long to wait before the attempt, in milliseconds: more than 0 only for a hook that is paced. */
  starts_in_ms: number;
};

/**
 * Takes a slot of the hook for the attempt that is due, or lets the delivery wait for one that ends and hands its slot
 * on. Of a delivery that already has its slot, because it was handed on or because a killed worker had begun it, it
 * only reads. The hook's row is locked before the delivery's, here and everywhere.
 */
const STATEMENT = {
  name: 'claim-delivery',
  text: `
    with lease as (
      select exists (select from worker_leases where pool_id = $6) as held
    ), target as (
      select d.id, d.hook_id, d.stage
      from deliveries d, lease
      where d.id = $1 and d.attempts = $2::int - 1 and d.ended_at is null and lease.held
        and case when $3::boolean then d.stage = 'handed_on' else d.stage in ('queued', 'in_flight') end
    ), lane as (
      select h.id, h.removed_at is null as live, h.in_flight, h.next_start_at, ${paceOf('$5')} as pace
      from hooks h
      where h.id = (select hook_id from target where stage = 'queued')
      for no key update
    ), verdict as (
      select id, pace, start_at,
        in_flight < $4::int and (in_flight = 0 or start_at <= ${START_BY}) as starts
      from (select *, ${START_AT} as start_at from lane where live) paced
    ), staged as (
      update deliveries d
      set stage = case when v.starts then 'in_flight'::delivery_stage else 'waiting' end,
        next_attempt_at = case when v.starts then v.start_at else d.next_attempt_at end
      from verdict v
      where d.id = $1 and d.attempts = $2::int - 1 and d.stage = 'queued'
      returning d.stage
    ), counted as (
      update hooks h
      set in_flight = h.in_flight + v.starts::int,
        waiting = h.waiting + (not v.starts)::int,
        next_start_at = case
          when v.starts and v.pace > 0 then v.start_at + make_interval(secs => v.pace)
          else h.next_start_at end
      from verdict v
      where h.id = v.id and exists (select from staged)
    ), due as (
      select d.id, e.id as event_id, e.key as event_key, e.body, h.id as hook_id, h.target_url, d.earlier_attempts,
        coalesce((select live from lane), h.removed_at is null) as hook_is_live,
        c.id as connection_id, d.workspace_id, c.user_id, m.role,
        greatest(0, ceil(extract(epoch from
          coalesce((select start_at from verdict), d.next_attempt_at) - clock_timestamp()) * 1000))::int as starts_in_ms
      from target t
      join deliveries d on d.id = t.id
      join events e on e.id = d.event_id
      join hooks h on h.id = d.hook_id
      join connections c on c.id = h.connection_id
      left join members m on m.workspace_id = c.workspace_id and m.user_id = c.user_id
      where t.stage <> 'queued'
        or not (select live from lane)
        or exists (select from staged where stage = 'in_flight')
    )
    select lease.held, due.*,
      (select hook_id from deliveries where id = $1 and attempts >= $2::int) as made_on_hook,
      exists (select from verdict) and not exists (select from staged) as overtaken
    from lease left join due on true`,
};

type Row = { held: boolean; made_on_hook: string | null; overtaken: boolean } & (
  | ClaimedDelivery
  | { id: null }
);

/** Whether an attempt may begin, and if not because it was made, of which hook it was. */
export type Claim =
  | { kind: 'claimed'; delivery: ClaimedDelivery }
  | { kind: 'made'; hookId: string }
  | { kind: 'waits_or_ended' };

/**
 * Claims the attempt of this number: the delivery with its slot taken, unless the attempt was made already, the
 * delivery has ended, or it has to wait for a slot (decisions: hooks, events, 7). A job that runs again after a crash
 * finds the slot it had.
 * @throws when the worker pool that runs the job is no longer counted among the living: others have its jobs
 */
export async function claimDelivery({ deliveryId, attempt, handedOn, poolId }: DueAttempt): Promise<Claim> {
  const { inFlight, perSecond } = hookLimits();
  const { rows } = await pool().query<Row>({
    ...STATEMENT,
    values: [deliveryId, attempt, handedOn, inFlight, perSecond, poolId],
  });
  const [row] = rows;
  // Another run of this job claimed while this one waited for the hook's lock. Whether it still lives nobody knows.
  if (row?.overtaken) return claimDelivery({ deliveryId, attempt, handedOn, poolId });
  if (!row?.held) throw new Error('This worker pool has lost its lease: its jobs run elsewhere.');
  if (row.id !== null) return { kind: 'claimed', delivery: row };
  return row.made_on_hook ? { kind: 'made', hookId: row.made_on_hook } : { kind: 'waits_or_ended' };
}
