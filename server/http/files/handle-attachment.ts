import type { IncomingMessage, ServerResponse } from 'node:http';
import { consumeLimit } from '#server/core/limits/limits.ts';
import { type Downloads, refuseDownload } from '#server/http/files/send-attachment.ts';
import { headersOf } from '#server/http/request/request-parts.ts';
import { sendJson } from '#server/http/response/send-json.ts';
import { readableIn } from '#server/inbox/conversations/readable-conversations.ts';
import { findAttachment } from '#server/inbox/files/find-attachment.ts';
import { findSignedIn } from '#server/teammates/signed-in.ts';

/** Path prefix of a file for teammates, followed by its id. */
export const ATTACHMENTS_PATH = '/attachments/';

export const NO_SUCH_FILE = 'The file was not found.';

/**
 * Sends a file to a signed-in teammate of its workspace, which need not be the open one. For everyone else
 * the file does not exist. An anonymous visitor is sent to the sign-in page.
 */
export async function handleAttachment(
  downloads: Downloads,
  req: IncomingMessage,
  res: ServerResponse,
  path: string,
): Promise<void> {
  const signedIn = await findSignedIn(headersOf(req));
  if (!signedIn) return requireSignIn(req, res, path);
  const { allowed, retryAfterSeconds } = await consumeLimit('attachment', signedIn.user.id);
  if (!allowed) return refuseDownload(res, retryAfterSeconds);
  const found = await findAttachment(path.slice(ATTACHMENTS_PATH.length), {
    message: { conversation: readableIn(signedIn.workspaces) },
  });
  if (!found) return sendJson(res, 404, { message: NO_SUCH_FILE });
  const isSent = await downloads.send(signedIn.sessionId, res, found);
  if (!isSent) refuseDownload(res);
}

/** Redirects a navigation to the sign-in page and refuses a subresource. */
function requireSignIn(req: IncomingMessage, res: ServerResponse, path: string): void {
  if (req.headers['sec-fetch-dest'] !== 'document') {
    sendJson(res, 401, { message: 'Sign in to open this file.' });
    return;
  }
  res.writeHead(303, { Location: `/sign-in?next=${encodeURIComponent(path)}`, 'Cache-Control': 'no-store' });
  res.end();
}
