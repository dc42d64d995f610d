import { CONSECUTIVE_ERRORS_MAX } from '#server/automation/hooks/remove-hooks.ts';
import type { Db } from '#server/core/database/prisma.ts';
import type { AttemptOutcome } from '#server/generated/prisma/enums.ts';
import type { ConnectionHealth, HookHealth } from '#server/screens/integrations/views.ts';

/** The values that decide the health of a live hook. */
export type HookSigns = {
  consecutiveErrors: number;
  failingSince: Date | null;
  /** True if deliveries are paced, because the platform requested it or many are sent again. */
  slowed: boolean;
  /** Outcome of the newest attempt among its newest deliveries; null before the first. */
  lastAttempt: AttemptOutcome | null;
};

const AFTER_ATTEMPT: Record<AttemptOutcome, 'normal' | 'unanswered' | 'retrying'> = {
  delivered: 'normal',
  // Retried first. The hook's counter records the final outcome.
  rejected: 'normal',
  gone: 'normal',
  throttled: 'retrying',
  failed: 'retrying',
  redirected: 'retrying',
  timed_out: 'unanswered',
  unreachable: 'unanswered',
};

/** Returns the health of a hook: its worst condition. */
export function hookHealth({ consecutiveErrors, failingSince, slowed, lastAttempt }: HookSigns): HookHealth {
  if (failingSince) {
    return {
      kind: 'failing',
      since: failingSince,
      errors: consecutiveErrors,
      errorsMax: CONSECUTIVE_ERRORS_MAX,
    };
  }
  const kind = lastAttempt ? AFTER_ATTEMPT[lastAttempt] : 'quiet';
  return { kind: slowed && kind !== 'unanswered' ? 'slowed' : kind };
}

/** Returns the health of a connection: that of its worst live hooks. */
export function connectionHealth(hooks: HookHealth[]): ConnectionHealth {
  if (hooks.length === 0) return { kind: 'idle' };
  const failing = hooks.flatMap((hook) => (hook.kind === 'failing' ? [hook.since.getTime()] : []));
  if (failing.length > 0) {
    return { kind: 'failing', since: new Date(Math.min(...failing)), workflows: failing.length };
  }
  for (const kind of ['unanswered', 'retrying', 'slowed'] as const) {
    const workflows = hooks.filter((hook) => hook.kind === kind).length;
    if (workflows > 0) return { kind, workflows };
  }
  return { kind: hooks.every((hook) => hook.kind === 'quiet') ? 'quiet' : 'normal' };
}

/** Number of newest deliveries that are searched for the newest attempt of a hook. */
const DELIVERIES_SCANNED = 10;
/** Seconds for which a hook is paced after a 429. */
const SLOWED_SECONDS = 60;

/** Returns the health of the connections' live hooks by hook id. One query. */
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
        limit ${DELIVERIES_SCANNED}::int
      ) d
      join attempts a on a.event_id = d.event_id and a.delivery_id = d.id and a.number = d.attempts
      order by a.started_at desc
      limit 1
    ) latest on true
    where h.connection_id = any (${connectionIds}::uuid[]) and h.removed_at is null`;
  return new Map(hooks.map(({ id, ...signs }) => [id, hookHealth(signs)]));
}
