/** A count for a screen. `more`: the true count is higher. */
export type ShownCount = { count: number; more: boolean };

/** Upper bound on counting. Screens then show `999+`. */
export const COUNTED_MAX = 999;
/**
 * Returns the count to show.
 * @param found counted up to `max + 1`
 * @param more true when counting stopped early
 */
export function shown(found = 0, more = false, max = COUNTED_MAX): ShownCount {
  return { count: Math.min(found, max), more: more || found > max };
}
