/** So many; `more`: at least. */
export type ShownCount = { count: number; more: boolean };

/** More are not counted: the screen says `999+`. */
export const COUNTED_MAX = 999;
/** What was counted up to one more than is shown; `more`: there may be more than that. */
export function shown(found = 0, more = false): ShownCount {
  return { count: Math.min(found, COUNTED_MAX), more: more || found > COUNTED_MAX };
}
