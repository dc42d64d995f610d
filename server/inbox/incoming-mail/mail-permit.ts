import { MAIL_PROCESSES_MAX } from '#server/inbox/mail-parser/mail-limits.ts';

/** Upper bound on the memory that all mails in work take, in a worker and its parser processes together, in bytes. */
const BUDGET_BYTES = 200 * 1024 * 1024;
/** Memory of a mail in work as a multiple of its size, as measured for mails of 10 to 50 MB with one file. */
const SIZE_FACTOR = 6;

type Permits = { places: number; bytes: number; waiting: { bytes: number; start: () => void }[] };

const shared = globalThis as typeof globalThis & { mailPermits?: Permits };

/**
 * Runs `work` once one of the worker's places for mail is free and its memory budget has room. Mails wait in the order in which
 * they came, so that small ones do not overtake a large one for ever. Nothing of the mail may be in memory before.
 * @param mailBytes size of the raw mail; a mail beyond the budget runs alone
 */
export async function withMailPermit<T>(mailBytes: number, work: () => Promise<T>): Promise<T> {
  shared.mailPermits ??= { places: MAIL_PROCESSES_MAX, bytes: BUDGET_BYTES, waiting: [] };
  const permits = shared.mailPermits;
  const bytes = Math.min(BUDGET_BYTES, SIZE_FACTOR * mailBytes);
  await new Promise<void>((start) => {
    permits.waiting.push({ bytes, start });
    startWaiting(permits);
  });
  try {
    return await work();
  } finally {
    permits.places += 1;
    permits.bytes += bytes;
    startWaiting(permits);
  }
}

function startWaiting(permits: Permits): void {
  for (let next = permits.waiting[0]; next; next = permits.waiting[0]) {
    if (permits.places === 0 || next.bytes > permits.bytes) return;
    permits.waiting.shift();
    permits.places -= 1;
    permits.bytes -= next.bytes;
    next.start();
  }
}
