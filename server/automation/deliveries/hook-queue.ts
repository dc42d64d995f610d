import { THROTTLED_SECONDS } from '#server/automation/deliveries/pace.ts';
import type { EventActor } from '#server/contract/event-actor.ts';
import type { EventKey } from '#server/contract/event-catalogue.ts';
import { afterCommit } from '#server/core/database/after-commit.ts';
import { deliveryPool } from '#server/core/database/pools.ts';
import type { Tx } from '#server/core/database/prisma.ts';
import { wakeForHooks } from '#server/core/jobs/wake-workers.ts';
import type { Role } from '#server/generated/prisma/enums.ts';

// SQL of the table `hook_queue`: a row is a hook with deliveries to send, with the lease of the worker that serves it.
//
// The protocol of `wakes`. Two things must not happen: a worker releases a hook while a transaction adds deliveries
// to it, so that nobody sends them; and a hook is read for nothing. A counter on the row solves both.
// 1. A transaction that makes deliveries due increments `wakes` (`wakeHooks`, `fanOut`), or inserts the row with 0.
// 2. A worker remembers `wakes` with each read. All deliveries up to that number are visible to the read.
// 3. It releases the hook only at the number it has read (`releaseHooks`). If the row has a higher one, deliveries
//    were added since: the hook stays claimed, and the worker reads it again.
// 4. A fan-out returns `wakes` and the delivery it added. At the worker's number plus 1 nothing else was added since
//    the last read, so that delivery is all there is to send, and the read is left out (`applyFanOut`). A new claim
//    counts from -1, so a row that the fan-out has inserted needs no read either. Only a read finds retries, so one
//    happens at least every second.
// 5. A worker that learns of an addition during a read or a release marks its hook (`Hook.due`) and reads it again.
//
// The way of a retry. A failed attempt is recorded with the time of the next one (`next_attempt_at`), and nothing wakes a worker
// for it. A hook without other work is released after a moment, with its earliest retry in `due_at` (`releaseHooks`). If that is
// within a second, the worker remembers the time (`State.dueTimes`); otherwise the poll of any worker finds the row once it is due.
// Either claims the hook again, and the read after a claim returns the delivery.

/** Time that a hook stays in the slow part of a worker after a timeout, in minutes. */
const SLOW_MINUTES = 5;

/** SQL: the hook `h` timed out recently. */
export const IS_SLOW = `coalesce(h.timed_out_at > now() - interval '${SLOW_MINUTES} minutes', false)`;

/** SQL: no live worker serves the hook of `k`. */
const IS_FREE =
  '(k.claimed_by is null or not exists (select from worker_leases l where l.pool_id = k.claimed_by))';

/** SQL: this worker claimed the hook of `k` without knowing, as the response to the claim was lost. */
const IS_FORGOTTEN = '(k.claimed_by = $1 and k.hook_id <> all ($4::uuid[]))';

/**
 * Schedules these hooks for the workers, in the transaction that made their deliveries due. The hooks' rows
 * are locked, or not visible to others yet. Locks the queue's rows last and in order, as everywhere else.
 */
export async function wakeHooks(tx: Tx, hookIds: string[]): Promise<void> {
  await tx.$executeRaw`
    insert into hook_queue (hook_id, due_at)
    select id, clock_timestamp() from unnest(${hookIds}::uuid[]) as id order by id
    on conflict (hook_id) do update set wakes = hook_queue.wakes + 1,
      due_at = least(hook_queue.due_at, excluded.due_at)`;
  afterCommit(tx, wakeForHooks);
}

/** A hook that this worker now serves. `slow`: it timed out recently. */
export type ClaimedHook = { hookId: string; slow: boolean };

const due = (slow: string, limit: string) => `
  select k.hook_id from hook_queue k join hooks h on h.id = k.hook_id
  where k.due_at <= clock_timestamp() and (${IS_FREE} or ${IS_FORGOTTEN}) and ${slow}
  order by k.due_at limit ${limit}
  for update of k skip locked`;

const CLAIM = {
  name: 'claim-hooks',
  text: `
    with fast as (${due(`not ${IS_SLOW}`, '$2')}), slow as (${due(IS_SLOW, '$3')}),
    chosen as (select hook_id, false as slow from fast union all select hook_id, true from slow)
    update hook_queue k set claimed_by = $1
    from chosen c
    where k.hook_id = c.hook_id and exists (select from worker_leases where pool_id = $1)
    returning k.hook_id as "hookId", c.slow`,
};

/**
 * Claims the hooks that have been due the longest and that no worker serves.
 * @param limits maximum number of fast and of slow hooks
 * @param known hooks that the worker serves; other hooks with its lease are claimed again
 */
export async function claimHooks(
  leaseId: string,
  limits: { fast: number; slow: number },
  known: string[] = [],
): Promise<ClaimedHook[]> {
  const values = [leaseId, limits.fast, limits.slow, known];
  const { rows } = await deliveryPool().query<ClaimedHook>({ ...CLAIM, values });
  return rows;
}

/** `busy`: ids of events in flight, which are skipped. `most`: number of deliveries to read. */
export type ReadRequest = { hookId: string; most: number; busy: string[] };

export type DueDelivery = {
  id: string;
  eventId: string;
  body: string;
  /** Only for an endpoint. */
  cause: EventSource | null;
  attempts: number;
  /** Number of attempts before a teammate last redelivered it. */
  earlierAttempts: number;
  /** `traceparent` of the event. */
  traceParent: string | null;
};

/** Who caused an event, and through which connection or API token. */
type EventSource = { actor: EventActor; causeId: string | null };

/** The secrets of a webhook endpoint, encrypted, in base64. The earlier one signs for a day after a rotation. */
type EndpointSecrets = { secret: string; earlierSecret: string | null };

/** SQL: the `EventSource` of the event `e`, if the hook `h` is an endpoint. */
export const CAUSE =
  "case when h.event = '*' then json_build_object('actor', e.actor, 'causeId', e.cause_id) end";

/** Current state of a hook, with its due deliveries. */
export type DueHook = {
  hookId: string;
  wakes: number;
  isLive: boolean;
  /** `*`: an endpoint. */
  event: EventKey | '*';
  endpoint: EndpointSecrets | null;
  targetUrl: string;
  workspaceId: string;
  /** Id of the endpoint if it has no connection. */
  connectionId: string;
  userId: string | null;
  role: Role | null;
  slow: boolean;
  /** Seconds since the last 429; null once it no longer counts. */
  throttledAgo: number | null;
  startsInMs: number;
  /** Remaining seconds in which the connection's hooks share one pace; null when they do not. */
  sharedFor: number | null;
  /** Number of the connection's hooks that have something to send now. */
  sharers: number;
  due: DueDelivery[];
  /** More deliveries are due than were requested. */
  more: boolean;
};

/** SQL: the state of the hook of `k`, as in `DueHook`. */
export const HOOK_STATE = `h.id as "hookId", k.wakes, h.removed_at is null as "isLive", h.event,
      h.target_url as "targetUrl", h.workspace_id as "workspaceId", coalesce(c.id, h.id) as "connectionId", c.user_id as "userId",
      m.role, case when h.event = '*' then (
        select json_build_object('secret', encode(w.secret, 'base64'), 'earlierSecret',
          case when w.earlier_secret_until > clock_timestamp() then encode(w.earlier_secret, 'base64') end)
        from webhook_endpoints w where w.id = h.id) end as endpoint, ${IS_SLOW} as slow,
      case when h.throttled_at > clock_timestamp() - interval '${THROTTLED_SECONDS} seconds'
        then extract(epoch from clock_timestamp() - h.throttled_at)::float8 end as "throttledAgo",
      coalesce(greatest(0, extract(epoch from h.next_start_at - clock_timestamp()) * 1000), 0)::float8 as "startsInMs",
      case when c.paced_until > clock_timestamp()
        then extract(epoch from c.paced_until - clock_timestamp())::float8 end as "sharedFor",
      case when c.paced_until > clock_timestamp() then (
        select count(*)::int from hooks o join hook_queue p on p.hook_id = o.id
        where o.connection_id = c.id and o.removed_at is null
          and (p.claimed_by is not null or p.due_at <= clock_timestamp())) else 1 end as sharers`;

/** SQL: the tables of `HOOK_STATE`. */
export const HOOK_JOINS = `join hooks h on h.id = k.hook_id
    left join connections c on c.id = h.connection_id
    left join members m on m.workspace_id = c.workspace_id and m.user_id = c.user_id`;

/**
 * Looks up one delivery more than requested, without its body, so that a hook is not read again only to find
 * nothing.
 */
const READ = {
  name: 'read-due',
  text: `
    with asked as (
      select * from json_to_recordset($2::json) as a ("hookId" uuid, most int, busy uuid[])
    )
    select ${HOOK_STATE},
      d.id, d.event_id as "eventId", d.attempts, d.earlier_attempts as "earlierAttempts", d.body, d.cause, d.trace_parent as "traceParent",
      coalesce(d.place > a.most, false) as beyond
    from asked a
    join hook_queue k on k.hook_id = a."hookId" and k.claimed_by = $1
    ${HOOK_JOINS}
    left join lateral (
      select n.*, e.body, e.cause, e.trace_parent
      from (
        select o.*, row_number() over (order by o.next_attempt_at, o.event_id) as place
        from (
          select d.id, d.event_id, d.attempts, d.earlier_attempts, d.next_attempt_at
          from deliveries d
          where d.hook_id = a."hookId" and d.ended_at is null and d.next_attempt_at <= clock_timestamp()
            and d.event_id <> all (a.busy) and h.removed_at is null
          order by d.next_attempt_at, d.event_id
          limit a.most + 1
        ) o
      ) n
      cross join lateral (
        select case when n.place <= a.most then e.body end as body, ${CAUSE} as cause, e.trace_parent from events e where e.id = n.event_id limit 1
      ) e
    ) d on true
    order by d.next_attempt_at, d.event_id`,
};

/** `beyond`: due, but beyond the requested number. */
type ReadRow = Omit<DueHook, 'due' | 'more'> & { beyond: boolean } & (
    | DueDelivery
    | { [Key in keyof DueDelivery]: null }
  );

/**
 * Reads the due deliveries of hooks in one round trip, the longest due first, with the current state of hook,
 * connection and teammate.
 * @returns the hooks that this worker still serves
 */
export async function readDue(leaseId: string, requests: ReadRequest[]): Promise<DueHook[]> {
  const values = [leaseId, JSON.stringify(requests)];
  const { rows } = await deliveryPool().query<ReadRow>({ ...READ, values });
  const hooks = new Map<string, DueHook>();
  for (const row of rows) {
    const { id, eventId, body, cause, attempts, earlierAttempts, traceParent, beyond, ...standing } = row;
    const hook = hooks.get(standing.hookId) ?? { ...standing, due: [], more: false };
    hooks.set(standing.hookId, hook);
    if (beyond) hook.more = true;
    else if (id !== null) hook.due.push({ id, eventId, body, cause, attempts, earlierAttempts, traceParent });
  }
  return [...hooks.values()];
}

/** Checks the number of wakes again under the row lock: a fan-out may just have incremented it. */
const RELEASE = {
  name: 'release-hooks',
  text: `
    with given as (
      select k.hook_id
      from hook_queue k join unnest($2::uuid[], $3::int[]) as g (hook_id, wakes) on g.hook_id = k.hook_id
      where k.claimed_by = $1 and k.wakes = g.wakes
      order by k.hook_id
      for update of k
    ), standing as (
      select hook_id, (
        select min(d.next_attempt_at) from deliveries d where d.hook_id = g.hook_id and d.ended_at is null
      ) as due_at
      from given g
    ), done as (
      delete from hook_queue k using standing s where k.hook_id = s.hook_id and s.due_at is null
    ), kept as (
      update hook_queue k set claimed_by = null, due_at = s.due_at
      from standing s where k.hook_id = s.hook_id and s.due_at is not null
    )
    select hook_id as "hookId", extract(epoch from due_at - clock_timestamp())::float8 * 1000 as "dueInMs"
    from standing`,
};

/** A released hook. `dueInMs`: null when it has nothing left to send. */
export type ReleasedHook = { hookId: string; dueInMs: number | null };

/**
 * Releases hooks, each until its earliest retry. A hook that got more deliveries since its last read stays
 * claimed.
 * @returns the released hooks
 */
export async function releaseHooks(
  leaseId: string,
  hooks: { hookId: string; wakes: number }[],
): Promise<ReleasedHook[]> {
  const values = [leaseId, hooks.map(({ hookId }) => hookId), hooks.map(({ wakes }) => wakes)];
  const { rows } = await deliveryPool().query<ReleasedHook>({ ...RELEASE, values });
  return rows;
}
