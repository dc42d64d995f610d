/** How often a service may be restarted, after which pauses. */
const PAUSES_MS = [500, 1_000, 2_000, 4_000, 8_000];
const WINDOW_MS = 60_000;

/**
 * The pause in milliseconds before a service that died at `now` is started again, given when it was restarted
 * before. Undefined when it was restarted five times within a minute: then starting it again will not help.
 */
export function planRestart(restartedAt: number[], now: number): number | undefined {
  return PAUSES_MS[restartedAt.filter((time) => now - time < WINDOW_MS).length];
}
