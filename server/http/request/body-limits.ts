import { setTimeout as sleep } from 'node:timers/promises';
import { addressKey } from '#server/core/limits/address-key.ts';
import { RequestProblem } from '#server/http/response/request-problem.ts';

/** How much of bodies a process holds in memory, in bytes. */
export const BODY_BUDGET_BYTES = 128 * 1024 * 1024;
/** A body of which so much or more is held is large; all large ones together leave a quarter to the others. */
const LARGE_BYTES = 128 * 1024;
const LARGE_SHARE = 0.75;

const shared = globalThis as typeof globalThis & { serviceBodyBytes?: number };

/**
 * Reserves memory for a body, or for more of one.
 * @returns gives it back; may be called twice
 * @throws RequestProblem `503` when the process holds too much
 */
export function holdBodyBytes(bytes: number): () => void {
  const held = shared.serviceBodyBytes ?? 0;
  const budget = bytes >= LARGE_BYTES ? BODY_BUDGET_BYTES * LARGE_SHARE : BODY_BUDGET_BYTES;
  if (held + bytes > budget) {
    throw new RequestProblem(
      503,
      'The service is receiving too much data at the moment. Try again in a few seconds.',
      5,
    );
  }
  shared.serviceBodyBytes = held + bytes;
  let isHeld = true;
  return () => {
    if (isHeld) shared.serviceBodyBytes = (shared.serviceBodyBytes ?? 0) - bytes;
    isHeld = false;
  };
}

const MB = 1024 * 1024;

/**
 * How fast a process takes in long bodies of one address, and sends files to it, in bytes: besides the first ones, so many
 * a second.
 */
export const BODY_RATE = { perSecond: 4 * MB, atOnce: MB };

const takeBytes = makeRateLimiter(BODY_RATE);

/**
 * Waits until a piece of a body may be followed by the next one of the same address. One fast client must not take the
 * processor from all others; nor must a file that no one reads.
 * @returns how long it waited, in milliseconds
 */
export async function waitForBodyRate(address: string, bytes: number): Promise<number> {
  const ms = takeBytes(addressKey(address), bytes);
  if (ms > 0) await sleep(ms);
  return ms;
}

/** How many requests of one address a process begins at the doors that are open to strangers: at once, and a second. */
export const REQUEST_RATE = { perSecond: 20, atOnce: 5 };
/** A request that would have to wait longer is refused, in milliseconds. */
const WAIT_MOST_MS = 10_000;

const takeRequests = makeRateLimiter(REQUEST_RATE);

/**
 * Waits until a request from an address may begin. A hundred that come at once from one address are begun one after the
 * other: begun together, they would fill the event loop, and every other request would wait for all of them.
 * @throws RequestProblem `429` when so many are waiting already that this one would wait for more than ten seconds
 */
export async function waitForRequestRate(address: string): Promise<void> {
  const key = addressKey(address);
  if (takeRequests(key, 0) > WAIT_MOST_MS) {
    throw new RequestProblem(429, 'Too many requests come from your network. Wait ten seconds.', 10);
  }
  const ms = takeRequests(key, 1);
  if (ms > 0) await sleep(ms);
}

/**
 * Takes so much for a key, and says for how many milliseconds to wait before more is taken for it.
 * @param nowMs of a clock that never goes back
 */
type RateLimiter = (key: string, amount: number, nowMs?: number) => number;

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
