import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { consumeLimit } from '#server/core/limits/limits.ts';
import { makeSemaphore } from '#server/core/limits/semaphore.ts';
import { log } from '#server/core/log.ts';
import { codeOf } from '#server/core/user-error.ts';
import { waitForBodyRate } from '#server/http/request/body-limits.ts';
import { clientAddress } from '#server/http/request/client-address.ts';
import { requestId, sendJson } from '#server/http/response/send-json.ts';
import { isPicture } from '#server/inbox/files/content-types.ts';
import { openFile } from '#server/inbox/files/file-store.ts';
import type { FoundAttachment } from '#server/inbox/files/find-attachment.ts';

/**
 * Streams an untrusted file no faster than it is read. Pictures are shown inline, all other files are
 * downloaded. The CSP `sandbox` prevents a file from running or loading anything and from having our origin.
 * Resolves when the response is finished or aborted.
 * @param unreadMs time after which a response that is not read is aborted
 */
async function sendAttachment(
  res: ServerResponse,
  { fileId, name, contentType, sizeBytes }: FoundAttachment,
  unreadMs: number,
): Promise<void> {
  requestId(res);
  const source = res.req.method === 'HEAD' ? undefined : await openFile(fileId);
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
  let sourceError: unknown;
  source.once('error', (error) => {
    sourceError = error;
  });
  try {
    await pipeline(source, paced(res, sizeBytes), res);
  } catch (error) {
    // The response is cut, so that no one mistakes half a file for a complete one. A client that stops
    // reading is not an error.
    if (sourceError ?? codeOf(error) === WRONG_LENGTH)
      log().error({ err: error, fileId }, 'attachment.broken_off');
  }
}

const WRONG_LENGTH = 'ERR_FILE_LENGTH';

/**
 * Passes a file on at the rate at which bodies are received from the IP address. Throws when its length
 * differs from the declared one.
 */
function paced(res: ServerResponse, sizeBytes: number) {
  const passOn = atBodyRate(res);
  return async function* (source: AsyncIterable<Uint8Array>) {
    let sent = 0;
    for await (const piece of passOn(source)) {
      sent += piece.length;
      yield piece;
    }
    if (sent !== sizeBytes) {
      throw Object.assign(new Error(`The file has ${sent} bytes, not ${sizeBytes}.`), { code: WRONG_LENGTH });
    }
  };
}

/** A ZIP archive that is read while it is sent, and the name of the download. */
export type NamedArchive = { name: string; archive: Readable };

/** Streams a ZIP archive no faster than it is read. A failure cuts the response, so that half a file does not look complete. */
async function sendArchive(
  res: ServerResponse,
  { name, archive }: NamedArchive,
  unreadMs: number,
): Promise<void> {
  requestId(res);
  res.writeHead(200, {
    'Content-Type': 'application/zip',
    'Content-Disposition': contentDisposition('attachment', name),
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'private, no-store',
  });
  res.setTimeout(unreadMs, () => res.destroy());
  try {
    await pipeline(archive, atBodyRate(res), res);
  } catch (error) {
    if (codeOf(error) !== 'ERR_STREAM_PREMATURE_CLOSE') log().error({ err: error }, 'archive.broken_off');
  }
}

/** Passes data on at the rate at which bodies are received from the IP address. */
function atBodyRate({ req }: ServerResponse) {
  const address = clientAddress(req);
  return async function* (source: AsyncIterable<Uint8Array>) {
    for await (const piece of source) {
      await waitForBodyRate(address, piece.length);
      yield piece;
    }
  };
}

/** RFC 6266: the name once in ASCII, once percent-encoded in UTF-8. */
function contentDisposition(how: 'inline' | 'attachment', name: string): string {
  const plain = name.replaceAll(/[^\w .()-]/g, '_');
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${how}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

/**
 * Times in ms: the maximum wait for one of three simultaneous downloads to finish, and the time after which
 * an unread response is aborted.
 */
export type DownloadTimes = { waitMs: number; unreadMs: number };
export const DOWNLOAD_TIMES: DownloadTimes = { waitMs: 15_000, unreadMs: 30_000 };

const TOO_MANY_DOWNLOADS =
  'Too many files are being opened at once. Wait until they have loaded and try again.';

/** Counts a download of a teammate. Returns false after refusing it, because there were too many. */
export async function countDownload(res: ServerResponse, userId: string): Promise<boolean> {
  const { allowed, retryAfterSeconds } = await consumeLimit('attachment', userId);
  if (!allowed) refuseDownload(res, retryAfterSeconds);
  return allowed;
}

/** Refuses a download because there are too many. */
export function refuseDownload(res: ServerResponse, retryAfterSeconds = 10): void {
  const headers = { 'Retry-After': String(retryAfterSeconds) };
  sendJson(res, 429, { message: TOO_MANY_DOWNLOADS }, headers);
}

/** Downloads of a server. */
export type Downloads = ReturnType<typeof openDownloads>;

/** Creates downloads with three simultaneous files per visitor or session and process; further ones wait. */
export function openDownloads({ waitMs, unreadMs } = DOWNLOAD_TIMES) {
  const acquire = makeSemaphore({ max: 3, waitingMax: 30, waitMs });
  async function limited(key: string, send: () => Promise<void>): Promise<boolean> {
    const release = await acquire(key);
    if (!release) return false;
    try {
      await send();
      return true;
    } finally {
      release();
    }
  }
  return {
    /**
     * Sends a file, limited by the number of simultaneous downloads of the visitor or session `key`.
     * @returns false when there are too many, and nothing was sent
     */
    send: (key: string, res: ServerResponse, file: FoundAttachment) =>
      limited(key, () => sendAttachment(res, file, unreadMs)),
    /**
     * Sends a ZIP archive of unknown length, limited in the same way. Nothing was sent when `open` throws.
     * @returns false when there are too many, and nothing was sent
     */
    sendArchive: (key: string, res: ServerResponse, open: () => Promise<NamedArchive>) =>
      limited(key, async () => sendArchive(res, await open(), unreadMs)),
  };
}
