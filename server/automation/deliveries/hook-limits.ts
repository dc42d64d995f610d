import { settings } from '#server/core/env.ts';

/** A hook, or a connection's hooks together, that was answered 429 starts so many attempts a second. */
export const THROTTLED_PER_SECOND = 20;
/** Until so many seconds have passed without another 429. */
export const THROTTLED_SECONDS = 60;

/** How long a hook that ran out of time keeps to the slow part of a worker, in minutes. */
export const SLOW_MINUTES = 5;

/** What limits a hook: how many deliveries at once, and how many starts a second (0: no fixed limit). */
export function hookLimits(): { inFlight: number; perSecond: number } {
  const { HOOK_MAX_IN_FLIGHT, HOOK_MAX_PER_SECOND } = settings();
  return { inFlight: HOOK_MAX_IN_FLIGHT, perSecond: HOOK_MAX_PER_SECOND };
}
