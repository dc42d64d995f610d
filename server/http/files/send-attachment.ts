import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { settings } from '#server/core/env.ts';
import { makeSemaphore } from '#server/core/limits/semaphore.ts';
import { log } from '#server/core/log.ts';
import { waitForBodyRate } from '#server/http/request/body-limits.ts';
import { clientAddress } from '#server/http/request/client-address.ts';
import { requestId } from '#server/http/response/send-json.ts';
import { isPicture } from '#server/inbox/files/content-types.ts';
import { openFile } from '#server/inbox/files/file-store.ts';
import type { FoundAttachment } from '#server/inbox/files/find-attachment.ts';

/**
 * Sends a file that a stranger has written, in pieces and no faster than it is read: pictures may be shown, everything
 * else is only ever saved, and whatever a browser makes of it, it can run nothing, load nothing, and is not of our
 * origin (CSP `sandbox`). Resolves when the response is sent or given up.
 * @param options `withBody` is false for HEAD; a response of which nothing is read for `unreadMs` is given up
 */
async function sendAttachment(
  res: ServerResponse,
  { id, name, contentType, sizeBytes }: FoundAttachment,
  { withBody, unreadMs }: { withBody: boolean; unreadMs: number },
): Promise<void> {
  requestId(res);
  const source = withBody ? await openFile(id) : undefined;
  if (res.destroyed) {
    source?.destroy();
    return;
  }
  res.writeHead(200, {
    'Content-Type': contentType,
    'Content-Length': sizeBytes,
    'Content-Disposition': contentDisposition(isPicture(contentType) ? 'inline' : 'attachment', name),
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'private, max-age=300',
  });
  if (!source) {
    res.end();
    return;
  }
  res.setTimeout(unreadMs, () => res.destroy());
  let brokenOff: unknown;
  source.once('error', (error) => {
    brokenOff = error;
  });
  try {
    await pipeline(source, exactly(sizeBytes), keepBodyRate(res), res);
  } catch (error) {
    // The response is cut off, so that no one takes half a file for a whole one. Who stops reading is no fault.
    if (brokenOff ?? isOfWrongLength(error))
      log().error({ err: error, attachmentId: id }, 'attachment.broken_off');
  }
}

const WRONG_LENGTH = 'ERR_FILE_LENGTH';

/** Passes a file on, and fails when it is not as long as was said. */
function exactly(sizeBytes: number) {
  return async function* (source: AsyncIterable<Uint8Array>) {
    let sent = 0;
    for await (const piece of source) {
      sent += piece.length;
      yield piece;
    }
    if (sent !== sizeBytes) {
      throw Object.assign(new Error(`The file has ${sent} bytes, not ${sizeBytes}.`), { code: WRONG_LENGTH });
    }
  };
}

/** Sends to one address no faster than bodies are taken in from it. */
function keepBodyRate({ req }: ServerResponse) {
  const address = clientAddress(req, settings().TRUST_PROXY);
  return async function* (source: AsyncIterable<Uint8Array>) {
    for await (const piece of source) {
      await waitForBodyRate(address, piece.length);
      yield piece;
    }
  };
}

function isOfWrongLength(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === WRONG_LENGTH;
}

/** RFC 6266: the name once in plain letters, once as it is. */
function contentDisposition(how: 'inline' | 'attachment', name: string): string {
  const plain = name.replaceAll(/[^\w .()-]/g, '_');
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${how}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

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
  send(key: string, res: ServerResponse, file: FoundAttachment, withBody?: boolean): Promise<boolean>;
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
