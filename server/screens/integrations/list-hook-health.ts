import type { Db } from '#server/core/database/db.ts';
import type { AttemptOutcome } from '#server/generated/prisma/enums.ts';
import { hookHealth } from '#server/screens/integrations/hook-health.ts';
import type { HookHealth } from '#server/screens/integrations/hooks-views.ts';

/** So many of a hook's newest deliveries are looked at for the newest attempt, and no more. */
const DELIVERIES_LOOKED_AT = 10;
/** A hook is paced for so long after it was asked to be. */
const SLOWED_SECONDS = 60;

/** How deliveries to the live hooks of some connections go, by the hook's id. One query. */
export async function listHookHealth(db: Db, connectionIds: string[]): Promise<Map<string, HookHealth>> {
  const hooks = await db.$queryRaw<
    {
      id: string;
      consecutiveErrors: number;
      failingSince: Date | null;
      slowed: boolean;
      lastAttempt: AttemptOutcome | null;
    }[]
  >`
    select h.id, h.consecutive_errors as "consecutiveErrors", h.failing_since as "failingSince",
      coalesce(h.throttled_at > now() - make_interval(secs => ${SLOWED_SECONDS}::int), false) as slowed,
      latest.outcome::text as "lastAttempt"
    from hooks h
    left join lateral (
      select a.outcome
      from (
        select id, event_id, attempts from deliveries where hook_id = h.id order by created_at desc
        limit ${DELIVERIES_LOOKED_AT}::int
      ) d
      join attempts a on a.event_id = d.event_id and a.delivery_id = d.id and a.number = d.attempts
      order by a.started_at desc
      limit 1
    ) latest on true
    where h.connection_id = any (${connectionIds}::uuid[]) and h.removed_at is null`;
  return new Map(hooks.map(({ id, ...signs }) => [id, hookHealth(signs)]));
}
