import { IS_SLOW } from '#server/automation/deliveries/drain/drains.ts';
import { THROTTLED_SECONDS } from '#server/automation/deliveries/hook-limits.ts';
import type { EventKey } from '#server/contract/event-catalogue.ts';
import { deliveryPool } from '#server/core/database/db.ts';
import type { Role } from '#server/generated/prisma/enums.ts';

/** A delivery whose next attempt is due. */
export type DueDelivery = {
  id: string;
  eventId: string;
  body: string;
  /** Attempts made so far. */
  attempts: number;
  /** Attempts made before it was last sent again by hand. */
  earlierAttempts: number;
};

/** A hook as it is now, and what of it is due. */
export type DueHook = {
  hookId: string;
  /** The number at which the hook may be given back. */
  wakes: number;
  isLive: boolean;
  event: EventKey;
  targetUrl: string;
  workspaceId: string;
  connectionId: string;
  userId: string | null;
  role: Role | null;
  slow: boolean;
  /** How long ago it was answered 429, in seconds; null when that is over. */
  throttledAgo: number | null;
  /** In how many milliseconds its pace allows the next start. */
  startsInMs: number;
  /** For how many seconds its connection's hooks still share one pace; null when they do not. */
  sharedFor: number | null;
  /** How many hooks of the connection have something to send now. */
  sharers: number;
  due: DueDelivery[];
  /** More of it is due than was asked for. */
  more: boolean;
};

/** How much of a hook is asked for. `busy`: the events that are under way and are passed over. */
export type Ask = { hookId: string; most: number; busy: string[] };

const STATEMENT = {
  name: 'read-due',
  text: `
    with asked as (
      select * from json_to_recordset($2::json) as a ("hookId" uuid, most int, busy uuid[])
    )
    select h.id as "hookId", k.wakes, h.removed_at is null as "isLive", h.event, h.target_url as "targetUrl",
      h.workspace_id as "workspaceId", c.id as "connectionId", c.user_id as "userId", m.role, ${IS_SLOW} as slow,
      case when h.throttled_at > clock_timestamp() - interval '${THROTTLED_SECONDS} seconds'
        then extract(epoch from clock_timestamp() - h.throttled_at)::float8 end as "throttledAgo",
      coalesce(greatest(0, extract(epoch from h.next_start_at - clock_timestamp()) * 1000), 0)::float8 as "startsInMs",
      case when c.paced_until > clock_timestamp()
        then extract(epoch from c.paced_until - clock_timestamp())::float8 end as "sharedFor",
      case when c.paced_until > clock_timestamp() then (
        select count(*)::int from hooks o join drains p on p.hook_id = o.id
        where o.connection_id = c.id and o.removed_at is null
          and (p.drained_by is not null or p.due_at <= clock_timestamp())) else 1 end as sharers,
      d.id, d.event_id as "eventId", d.attempts, d.earlier_attempts as "earlierAttempts", d.body,
      coalesce(d.place > a.most, false) as beyond
    from asked a
    join drains k on k.hook_id = a."hookId" and k.drained_by = $1
    join hooks h on h.id = a."hookId"
    join connections c on c.id = h.connection_id
    left join members m on m.workspace_id = c.workspace_id and m.user_id = c.user_id
    left join lateral (
      select n.*, e.body
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
        select case when n.place <= a.most then body end as body from events where id = n.event_id limit 1
      ) e
    ) d on true
    order by d.next_attempt_at, d.event_id`,
};

/** `beyond`: it is due, too, but was not asked for. */
type Row = Omit<DueHook, 'due' | 'more'> & { beyond: boolean } & (
    | DueDelivery
    | { [Key in keyof DueDelivery]: null }
  );

/**
 * Reads what is due of several hooks, the longest due first, each together with the hook, its connection and its
 * teammate as they are now, and whether more is due: so a hook is not read once more only to find nothing. One round
 * trip.
 * @returns the hooks that this worker still drains
 */
export async function readDue(drainerId: string, asks: Ask[]): Promise<DueHook[]> {
  const { rows } = await deliveryPool().query<Row>({
    ...STATEMENT,
    values: [drainerId, JSON.stringify(asks)],
  });
  const hooks = new Map<string, DueHook>();
  for (const { id, eventId, body, attempts, earlierAttempts, beyond, ...standing } of rows) {
    const hook = hooks.get(standing.hookId) ?? { ...standing, due: [], more: false };
    hooks.set(standing.hookId, hook);
    if (beyond) hook.more = true;
    else if (id !== null) hook.due.push({ id, eventId, body, attempts, earlierAttempts });
  }
  return [...hooks.values()];
}
