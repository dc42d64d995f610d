import { makeSemaphore } from '#server/core/limits/semaphore.ts';
import { MAIL_PROCESSES_MAX } from '#server/inbox/mail-parser/mail-limits.ts';

/** Memory budget of a worker and its parser processes for all mails in flight, in bytes. */
const BUDGET_BYTES = 200 * 1024 * 1024;
/** Memory per byte of a mail in flight, measured for mails of 10 to 50 MB with one file. */
const SIZE_FACTOR = 6;

const UNBOUNDED = { waitingMax: Number.POSITIVE_INFINITY };
const slots = makeSemaphore({ max: MAIL_PROCESSES_MAX, ...UNBOUNDED });
const memory = makeSemaphore({ max: BUDGET_BYTES, ...UNBOUNDED });

/**
 * Runs `work` when a slot is free and the memory budget has room. Mails run in order of arrival, so small mails cannot
 * starve a large one. The caller must not load the mail before `work` runs.
 * @param mailBytes size of the raw mail; a mail beyond the budget runs alone
 */
export async function withMailPermit<T>(mailBytes: number, work: () => Promise<T>): Promise<T> {
  const freeSlot = await slots('mails');
  const freeMemory = await memory('mails', Math.min(BUDGET_BYTES, SIZE_FACTOR * mailBytes));
  try {
    return await work();
  } finally {
    freeMemory?.();
    freeSlot?.();
  }
}
