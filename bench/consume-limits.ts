import { closeDatabase } from '#server/core/database/prisma.ts';
import { closeLimiterStore, openLimiterStore } from '#server/core/limits/limiter-store.ts';
import { takeFrom } from '#server/core/limits/limits.ts';

// One round of bench/limits.ts: consumes from the limits of 500 keys, 50 calls in parallel, and prints the
// calls per second.
const CALLS = 15_000;
const MOST_MS = 10_000;
const AT_ONCE = 50;
const KEYS = 500;

await openLimiterStore();
await take(1_000);
const start = performance.now();
const taken = await take(CALLS);
console.log(Math.round(taken / ((performance.now() - start) / 1000)));
closeLimiterStore();
await closeDatabase();

/**
 * Consumes `calls` times, or until the timeout.
 * @returns the number of calls
 * @throws when a call was not counted
 */
async function take(calls: number): Promise<number> {
  const end = performance.now() + MOST_MS;
  let begun = 0;
  const one = async () => {
    while (begun < calls && performance.now() < end) {
      begun += 1;
      const { remaining, limit } = await takeFrom('api', `${process.pid}-${begun % KEYS}`);
      if (remaining === limit) throw new Error('A call was not counted.');
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  return begun;
}
