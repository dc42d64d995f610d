import { makeSlots } from '#server/ground/limits/make-slots.ts';

/** How many files a visitor or a teammate's session may open at once from a process; a page's other pictures wait. */
const take = makeSlots({ max: 3, waitingMax: 30, waitMs: 15_000 });

/** When to come back who opened too many, in seconds. */
export const DOWNLOAD_RETRY_SECONDS = 10;
export const TOO_MANY_DOWNLOADS =
  'Too many files are being opened at once. Wait until they have loaded and try again.';

/**
 * Sends a file while few others are on their way to the same visitor or session.
 * @returns false when too many are, and nothing was sent
 */
export async function inDownloadSlot(key: string, send: () => Promise<void>): Promise<boolean> {
  const release = await take(key);
  if (!release) return false;
  try {
    await send();
    return true;
  } finally {
    release();
  }
}
