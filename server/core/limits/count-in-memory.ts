import type { Window } from '#server/core/limits/limiter-store.ts';

/** What was counted: so many since the window began, which ends at a time of `Date.now`. */
export type Counted = { count: number; endsAt: number };

/** Keys that are remembered at once; the oldest windows make room. */
const KEYS_MAX = 100_000;

type Counting = { take(key: string, window: Window, points?: number): Counted; forget(key: string): void };
const shared = globalThis as typeof globalThis & { serviceMemoryCounts?: Counting };

/**
 * Counts in this process alone, for as long as the store that all processes share is away. The library's counter in
 * memory has no bound, and who is to be limited here chooses the keys.
 */
export function memoryCounts(): Counting {
  shared.serviceMemoryCounts ??= countInMemory();
  return shared.serviceMemoryCounts;
}

/** A counter of its own; `keysMax` at once. */
export function countInMemory(keysMax = KEYS_MAX): Counting {
  // In the order in which the windows began.
  const windows = new Map<string, Counted>();
  return {
    take: (key, { seconds }, points = 1) => {
      const now = Date.now();
      const open = windows.get(key);
      if (open && open.endsAt > now) {
        open.count += points;
        return open;
      }
      windows.delete(key);
      const [oldest] = windows.size >= keysMax ? windows.keys() : [];
      if (oldest !== undefined) windows.delete(oldest);
      const begun = { count: points, endsAt: now + seconds * 1000 };
      windows.set(key, begun);
      return begun;
    },
    forget: (key) => {
      windows.delete(key);
    },
  };
}
