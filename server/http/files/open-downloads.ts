import type { ServerResponse } from 'node:http';
import { makeSemaphore } from '#server/core/limits/semaphore.ts';
import { type SentAttachment, sendAttachment } from '#server/http/files/send-attachment.ts';

/**
 * In milliseconds: how long who opens more files than three waits for one of them to end, and after how long a response
 * of which nothing is read is given up.
 */
export type DownloadTimes = { waitMs: number; unreadMs: number };
export const DOWNLOAD_TIMES: DownloadTimes = { waitMs: 15_000, unreadMs: 30_000 };

/** When to come back who opened too many, in seconds. */
export const DOWNLOAD_RETRY_SECONDS = 10;
export const TOO_MANY_DOWNLOADS =
  'Too many files are being opened at once. Wait until they have loaded and try again.';

/** The files that a server is sending. */
export type Downloads = {
  /**
   * Sends a file while few others are on their way to the same visitor or session, whose `key` this is.
   * @param withBody false for HEAD
   * @returns false when too many are, and nothing was sent
   */
  send(key: string, res: ServerResponse, file: SentAttachment, withBody?: boolean): Promise<boolean>;
};

/** A visitor or a teammate's session may open three files at once from a process; a page's other pictures wait. */
export function openDownloads({ waitMs, unreadMs } = DOWNLOAD_TIMES): Downloads {
  const take = makeSemaphore({ max: 3, waitingMax: 30, waitMs });
  return {
    async send(key, res, file, withBody = true) {
      const release = await take(key);
      if (!release) return false;
      try {
        await sendAttachment(res, file, { withBody, unreadMs });
        return true;
      } finally {
        release();
      }
    },
  };
}
