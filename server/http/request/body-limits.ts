import { setTimeout as sleep } from 'node:timers/promises';
import { addressKey } from '#server/core/limits/address-key.ts';
import { RequestProblem } from '#server/http/response/request-problem.ts';

/** Memory for bodies per process, in bytes. */
export const BODY_BUDGET_BYTES = 128 * 1024 * 1024;
/**
 * A reservation of this size or more is large. Large ones together leave a quarter of the memory to small
 * ones.
 */
const LARGE_BYTES = 128 * 1024;
const LARGE_SHARE = 0.75;

/** Memory that bodies hold in this process, in bytes. */
let heldBytes = 0;

/**
 * Reserves memory for a body or part of one.
 * @returns releases the memory; can be called twice
 * @throws RequestProblem `503` when the process holds too much
 */
export function holdBodyBytes(bytes: number): () => void {
  const budget = bytes >= LARGE_BYTES ? BODY_BUDGET_BYTES * LARGE_SHARE : BODY_BUDGET_BYTES;
  if (heldBytes + bytes > budget) {
    throw new RequestProblem(
      503,
      'The service is receiving too much data at the moment. Try again in a few seconds.',
      5,
    );
  }
  heldBytes += bytes;
  let isHeld = true;
  return () => {
    if (isHeld) heldBytes -= bytes;
    isHeld = false;
  };
}

const MB = 1024 * 1024;

/**
 * Rate of long bodies from an IP address, and of files sent to it, per process: bytes per second after an
 * initial burst.
 */
export const BODY_RATE = { perSecond: 4 * MB, burst: MB };

const consumeBytes = makeRateLimiter(BODY_RATE);

/**
 * Waits until the next part of a body from this address may be processed. One fast client, or a file that no
 * one reads, must not take the processor from everyone else.
 * @returns the wait in ms
 */
export async function waitForBodyRate(address: string, bytes: number): Promise<number> {
  const ms = consumeBytes(addressKey(address), bytes);
  if (ms > 0) await sleep(ms);
  return ms;
}

/**
 * Rate of requests from an IP address to public endpoints, per process: requests per second after an initial
 * burst.
 */
export const REQUEST_RATE = { perSecond: 20, burst: 5 };
/** Maximum wait in ms; a request with a longer one is refused. */
const WAIT_MAX_MS = 10_000;

const consumeRequests = makeRateLimiter(REQUEST_RATE);

/**
 * Waits until a request from this address may start. A hundred simultaneous requests of one address start one
 * after the other; together they would fill the event loop and delay everyone else.
 * @throws RequestProblem `429` when this request would wait for more than ten seconds
 */
export function waitForRequestRate(address: string): Promise<void> {
  return waitForRate(consumeRequests, address, REQUESTS_REFUSED);
}

const REQUESTS_REFUSED = new RequestProblem(
  429,
  'Too many requests come from your network. Wait ten seconds.',
  10,
);

/**
 * Waits until one more of what `consume` limits may start for this address.
 * @throws `refused` when it would wait for more than ten seconds
 */
export async function waitForRate(
  consume: RateLimiter,
  address: string,
  refused: RequestProblem,
): Promise<void> {
  const key = addressKey(address);
  if (consume(key, 0) > WAIT_MAX_MS) throw refused;
  const ms = consume(key, 1);
  if (ms > 0) await sleep(ms);
}

/**
 * Consumes an amount for a key and returns the wait in ms.
 * @param nowMs from a monotonic clock
 */
type RateLimiter = (key: string, amount: number, nowMs?: number) => number;

/**
 * Creates a rate limiter for this process (generic cell rate algorithm): `perSecond` for each key, after
 * an initial `burst`, both read at each call. A key is forgotten once its full burst is available again.
 */
export function makeRateLimiter(rate: { perSecond: number; burst: number }): RateLimiter {
  /** Time until which each key has consumed its rate; the most recently used key is last. */
  const consumedUntil = new Map<string, number>();
  return (key, amount, nowMs = performance.now()) => {
    const { perSecond, burst } = rate;
    const aheadMs = (burst / perSecond) * 1_000;
    for (const [oldest, until] of consumedUntil) {
      if (until > nowMs - aheadMs) break;
      consumedUntil.delete(oldest);
    }
    const until =
      Math.max(consumedUntil.get(key) ?? nowMs - aheadMs, nowMs - aheadMs) + (amount / perSecond) * 1_000;
    consumedUntil.delete(key);
    consumedUntil.set(key, until);
    return Math.max(0, until - nowMs);
  };
}
