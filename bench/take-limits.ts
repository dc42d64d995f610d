import { closeDatabase } from '#server/core/database/prisma.ts';
import { closeLimiterStore, openLimiterStore } from '#server/core/limits/limiter-store.ts';
import { takeFrom } from '#server/core/limits/limits.ts';

// One round of bench/limits.ts: takes from limits for 500 keys, 50 calls at once, and prints how many a second.
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

/** Takes `calls` times, or until time is up. Returns how often it was; none may have failed to be counted. */
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
