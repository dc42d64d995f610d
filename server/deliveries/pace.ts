import { settings } from '#server/env.ts';

/** A hook that was answered 429 starts so many attempts a second, until so many seconds passed without another. */
export const THROTTLED_PER_SECOND = 20;
const THROTTLED_SECONDS = 60;

/** How far ahead of its start an attempt may take a slot, in seconds. It waits for its start in the worker. */
const AHEAD_SECONDS = 1;

/** How long a hook that ran out of time keeps to the slow part of a worker, in minutes. */
const SLOW_MINUTES = 5;

/** What limits a hook: how many deliveries at once, and how many starts a second (0: no fixed limit). */
export function hookLimits(): { inFlight: number; perSecond: number } {
  const { HOOK_MAX_IN_FLIGHT, HOOK_MAX_PER_SECOND } = settings();
  return { inFlight: HOOK_MAX_IN_FLIGHT, perSecond: HOOK_MAX_PER_SECOND };
}

/**
 * SQL: the seconds between two starts of the hook `h`, 0 when it is not paced (decisions: hooks, events, 7).
 * @param perSecond the statement's parameter with the fixed pace, such as `$5`
 */
export function paceOf(perSecond: string): string {
  return `greatest(0, 1.0 / nullif(${perSecond}::int, 0),
    case when h.throttled_at > clock_timestamp() - interval '${THROTTLED_SECONDS} seconds'
      then 1.0 / ${THROTTLED_PER_SECOND} end)::float8`;
}

/** SQL: the earliest start of the next attempt of the hook `h`, whose `pace` is a column beside. */
export const START_AT = `case when pace > 0 then greatest(clock_timestamp(), next_start_at) else clock_timestamp() end`;

/** SQL: the last moment at which an attempt may start that takes its slot now. */
export const START_BY = `clock_timestamp() + interval '${AHEAD_SECONDS} seconds'`;

/** SQL: the task that delivers for the hook `h`: hooks that lately ran out of time share a part of the worker. */
export const DELIVER_TASK = `case when h.timed_out_at > now() - interval '${SLOW_MINUTES} minutes'
  then 'deliver-slowly' else 'deliver' end`;
