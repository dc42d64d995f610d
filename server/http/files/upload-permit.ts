import type { IncomingMessage } from 'node:http';
import { addressKey } from '#server/core/limits/address-key.ts';
import { makeSemaphore } from '#server/core/limits/semaphore.ts';
import { holdBodyBytes } from '#server/http/request/body-limits.ts';
import { RequestProblem } from '#server/http/response/request-problem.ts';
import { storeOfNewFiles } from '#server/inbox/files/file-store.ts';
import { HELD_BYTES } from '#server/inbox/files/file-store-type.ts';

/** How many messages a visitor, and all from one address, may be sending at once to a process. */
const ofVisitors = makeSemaphore({ max: 3, waitingMax: 10, waitMs: 2_000 });
const ofAddresses = makeSemaphore({ max: 10, waitingMax: 30, waitMs: 2_000 });

const TOO_MANY_UPLOADS =
  'Too many messages are being sent from here at once. Wait until they have arrived, and send this one again.';
const RETRY_AFTER_SECONDS = 10;

/**
 * Reads the body of a message while few others are on their way from the same visitor and address, and the process has
 * memory for it. Not a byte of it is read before.
 * @throws RequestProblem `429` or `503`
 */
export async function withUploadPermit<T>(
  req: IncomingMessage,
  { visitorKey, address }: { visitorKey: string; address: string },
  work: () => Promise<T>,
): Promise<T> {
  const releases: (() => void)[] = [];
  const take = (release: (() => void) | undefined) => {
    if (!release) throw new RequestProblem(429, TOO_MANY_UPLOADS, RETRY_AFTER_SECONDS);
    releases.push(release);
  };
  try {
    // First their own: those who wait for it take nothing from others of the address.
    take(await ofVisitors(visitorKey));
    take(await ofAddresses(addressKey(address)));
    take(holdBodyBytes(heldBytes(req)));
    return await work();
  } finally {
    for (const release of releases) release();
  }
}

/** A short message is held whole; of a long one no more than is on its way to the store. */
function heldBytes(req: IncomingMessage): number {
  const length = Number(req.headers['content-length'] ?? Number.POSITIVE_INFINITY);
  return Math.min(Number.isNaN(length) ? Number.POSITIVE_INFINITY : length, HELD_BYTES[storeOfNewFiles()]);
}
