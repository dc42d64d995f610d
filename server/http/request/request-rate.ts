import { setTimeout as sleep } from 'node:timers/promises';
import { addressKey } from '#server/core/limits/address-key.ts';
import { makeRateLimiter } from '#server/http/request/make-rate-limiter.ts';
import { RequestProblem } from '#server/http/response/request-problem.ts';

/** How many requests of one address a process begins at the doors that are open to strangers: at once, and a second. */
export const REQUEST_RATE = { perSecond: 20, atOnce: 5 };
/** A request that would have to wait longer is refused, in milliseconds. */
const WAIT_MOST_MS = 10_000;

const take = makeRateLimiter(REQUEST_RATE);

/**
 * Waits until a request from an address may begin. A hundred that come at once from one address are begun one after the
 * other: begun together, they would fill the event loop, and every other request would wait for all of them.
 * @throws RequestProblem `429` when so many are waiting already that this one would wait for more than ten seconds
 */
export async function waitForRequestRate(address: string): Promise<void> {
  const key = addressKey(address);
  if (take(key, 0) > WAIT_MOST_MS) {
    throw new RequestProblem(429, 'Too many requests come from your network. Wait ten seconds.', 10);
  }
  const ms = take(key, 1);
  if (ms > 0) await sleep(ms);
}
