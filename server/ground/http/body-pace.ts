import { setTimeout as sleep } from 'node:timers/promises';
import { addressKey } from '#server/ground/limits/address-key.ts';
import { makePace } from '#server/ground/limits/make-pace.ts';

const MB = 1024 * 1024;

/**
 * How fast a process takes in long bodies of one address, and sends files to it, in bytes: besides the first ones, so many
 * a second.
 */
export const BODY_PACE = { perSecond: 4 * MB, atOnce: MB };

const take = makePace(BODY_PACE);

/**
 * Waits until a piece of a body may be followed by the next one of the same address. What comes from a fast network, or
 * from this machine, is not to take the processor from everybody else; nor is a file that nobody reads.
 * @returns how long it waited, in milliseconds
 */
export async function keepBodyPace(address: string, bytes: number): Promise<number> {
  const ms = take(addressKey(address), bytes);
  if (ms > 0) await sleep(ms);
  return ms;
}
