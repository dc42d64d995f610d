import { MAIL_PROCESSES_MAX } from '#server/inbox/mail-parser/mail-limits.ts';

/** Memory budget of a worker and its parser processes for all mails in flight, in bytes. */
const BUDGET_BYTES = 200 * 1024 * 1024;
/** Memory per byte of a mail in flight, measured for mails of 10 to 50 MB with one file. */
const SIZE_FACTOR = 6;

type Permits = { slots: number; bytes: number; waiting: { bytes: number; start: () => void }[] };

const permits: Permits = { slots: MAIL_PROCESSES_MAX, bytes: BUDGET_BYTES, waiting: [] };

/**
 * Runs `work` when a slot is free and the memory budget has room. Mails run in order of arrival, so small mails cannot
 * starve a large one. The caller must not load the mail before `work` runs.
 * @param mailBytes size of the raw mail; a mail beyond the budget runs alone
 */
export async function withMailPermit<T>(mailBytes: number, work: () => Promise<T>): Promise<T> {
  const bytes = Math.min(BUDGET_BYTES, SIZE_FACTOR * mailBytes);
  await new Promise<void>((start) => {
    permits.waiting.push({ bytes, start });
    startWaiting();
  });
  try {
    return await work();
  } finally {
    permits.slots += 1;
    permits.bytes += bytes;
    startWaiting();
  }
}

function startWaiting(): void {
  for (let next = permits.waiting[0]; next; next = permits.waiting[0]) {
    if (permits.slots === 0 || next.bytes > permits.bytes) return;
    permits.waiting.shift();
    permits.slots -= 1;
    permits.bytes -= next.bytes;
    next.start();
  }
}
