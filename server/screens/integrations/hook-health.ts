import { CONSECUTIVE_ERRORS_MAX } from '#server/automation/hooks/remove-hooks.ts';
import type { Db } from '#server/core/database/prisma.ts';
import type { AttemptOutcome } from '#server/generated/prisma/enums.ts';
import type { ConnectionHealth, HookHealth } from '#server/screens/integrations/views.ts';

/** What the health of a live hook is judged by. */
export type HookSigns = {
  consecutiveErrors: number;
  failingSince: Date | null;
  /** Whether it is paced, because the platform asked for fewer events or many are sent again. */
  slowed: boolean;
  /** What came of the newest attempt of its newest deliveries; null before the first. */
  lastAttempt: AttemptOutcome | null;
};

const AFTER_ATTEMPT: Record<AttemptOutcome, 'normal' | 'unanswered' | 'retrying'> = {
  delivered: 'normal',
  // Whatever these end with is counted on the hook; until then they are tried again.
  rejected: 'normal',
  gone: 'normal',
  throttled: 'retrying',
  failed: 'retrying',
  redirected: 'retrying',
  timed_out: 'unanswered',
  unreachable: 'unanswered',
};

/** Judges how deliveries to a hook go; the worst sign counts. */
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

/** Judges how deliveries of a connection go by all its live hooks. */
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
