/**
 * Takes so much for a key, and says for how many milliseconds to wait before more is taken for it.
 * @param nowMs of a clock that never goes back
 */
export type RateLimiter = (key: string, amount: number, nowMs?: number) => number;

/**
 * Lets `perSecond` of each key through in this process, after `atOnce` that need not wait (the generic cell rate
 * algorithm). A key is forgotten once it may have all of that again.
 */
export function makeRateLimiter({ perSecond, atOnce }: { perSecond: number; atOnce: number }): RateLimiter {
  const aheadMs = (atOnce / perSecond) * 1_000;
  /** Until when each key has had its share; the one that was asked for last comes last. */
  const served = new Map<string, number>();
  return (key, amount, nowMs = performance.now()) => {
    for (const [oldest, until] of served) {
      if (until > nowMs - aheadMs) break;
      served.delete(oldest);
    }
    const until =
      Math.max(served.get(key) ?? nowMs - aheadMs, nowMs - aheadMs) + (amount / perSecond) * 1_000;
    served.delete(key);
    served.set(key, until);
    return Math.max(0, until - nowMs);
  };
}
