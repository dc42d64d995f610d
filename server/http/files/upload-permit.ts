import type { IncomingMessage } from 'node:http';
import { addressKey } from '#server/core/limits/address-key.ts';
import { makeSemaphore } from '#server/core/limits/semaphore.ts';
import { holdBodyBytes } from '#server/http/request/body-limits.ts';
import { RequestProblem } from '#server/http/response/request-problem.ts';
import { storeOfNewFiles } from '#server/inbox/files/file-store.ts';
import { HELD_BYTES } from '#server/inbox/files/file-store-type.ts';

/** Maximum number of simultaneous uploads per process: of one visitor, and from one IP address. */
const visitorSlots = makeSemaphore({ max: 3, waitingMax: 10, waitMs: 2_000 });
const addressSlots = makeSemaphore({ max: 10, waitingMax: 30, waitMs: 2_000 });

const TOO_MANY_UPLOADS =
  'Too many messages are being sent from here at once. Wait until they have arrived, and send this one again.';
const RETRY_AFTER_SECONDS = 10;

/**
 * Reads the body of a message once there is a free slot for the visitor and the IP address, and memory in the
 * process. Nothing of the body is read before that.
 * @throws RequestProblem `429` or `503`
 */
export async function withUploadPermit<T>(
  req: IncomingMessage,
  { visitorKey, address }: { visitorKey: string; address: string },
  work: () => Promise<T>,
): Promise<T> {
  const releases: (() => void)[] = [];
  const hold = (release: (() => void) | undefined) => {
    if (!release) throw new RequestProblem(429, TOO_MANY_UPLOADS, RETRY_AFTER_SECONDS);
    releases.push(release);
  };
  try {
    // The visitor's slot first, so that its waiters hold no slot of the address.
    hold(await visitorSlots(visitorKey));
    hold(await addressSlots(addressKey(address)));
    hold(holdBodyBytes(heldBytes(req)));
    return await work();
  } finally {
    for (const release of releases) release();
  }
}

/** Returns the bytes held in memory: a complete short message, or the part of a long one that is in flight to the store. */
function heldBytes(req: IncomingMessage): number {
  const length = Number(req.headers['content-length'] ?? Number.POSITIVE_INFINITY);
  return Math.min(Number.isNaN(length) ? Number.POSITIVE_INFINITY : length, HELD_BYTES[storeOfNewFiles()]);
}
