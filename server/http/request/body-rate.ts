import { setTimeout as sleep } from 'node:timers/promises';
import { addressKey } from '#server/core/limits/address-key.ts';
import { makeRateLimiter } from '#server/http/request/make-rate-limiter.ts';

const MB = 1024 * 1024;

/**
 * How fast a process takes in long bodies of one address, and sends files to it, in bytes: besides the first ones, so many
 * a second.
 */
export const BODY_RATE = { perSecond: 4 * MB, atOnce: MB };

const take = makeRateLimiter(BODY_RATE);

/**
 * Waits until a piece of a body may be followed by the next one of the same address. One fast client must not take the
 * processor from all others; nor must a file that no one reads.
 * @returns how long it waited, in milliseconds
 */
export async function waitForBodyRate(address: string, bytes: number): Promise<number> {
  const ms = take(addressKey(address), bytes);
  if (ms > 0) await sleep(ms);
  return ms;
}
