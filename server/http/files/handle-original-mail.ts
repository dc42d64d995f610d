import type { IncomingMessage, ServerResponse } from 'node:http';
import { validate as isUuid } from 'uuid';
import { db } from '#server/core/database/db.ts';
import { takeFrom } from '#server/core/limits/limits.ts';
import { mailPage, mailPolicy } from '#server/http/files/mail-page.ts';
import {
  DOWNLOAD_RETRY_SECONDS,
  type Downloads,
  TOO_MANY_DOWNLOADS,
} from '#server/http/files/open-downloads.ts';
import { headersOf } from '#server/http/request/headers-of.ts';
import { requestId, sendJson } from '#server/http/response/send-json.ts';
import { findSignedIn } from '#server/teammates/signed-in.ts';

/** Where teammates look at the mails of their workspaces: this and the message's id; `/original` behind it saves the raw one. */
export const MAILS_PATH = '/mails/';

const NO_SUCH_MAIL = { message: 'The email was not found.' };

/**
 * Shows a mail's HTML to a signed-in teammate of its workspace, with `?pictures=1` also what it shows of other servers, or
 * hands out its original. For everyone else there is no such mail.
 */
export async function handleMail(
  downloads: Downloads,
  req: IncomingMessage,
  res: ServerResponse,
  path: string,
): Promise<void> {
  if (req.method !== 'GET' && req.method !== 'HEAD') {
    return sendJson(res, 405, { message: 'This address answers GET only.' }, { Allow: 'GET, HEAD' });
  }
  const signedIn = await findSignedIn(headersOf(req));
  if (!signedIn) return sendJson(res, 401, { message: 'Sign in to open this email.' });
  const { allowed, retryAfterSeconds } = await takeFrom('attachment', signedIn.user.id);
  if (!allowed)
    return sendJson(res, 429, { message: TOO_MANY_DOWNLOADS }, { 'Retry-After': String(retryAfterSeconds) });
  const [id = '', what, ...more] = path.slice(MAILS_PATH.length).split('/');
  const workspaceIds = signedIn.workspaces.map((workspace) => workspace.id);
  if (!isUuid(id) || more.length > 0) return sendJson(res, 404, NO_SUCH_MAIL);
  if (what === 'original') {
    const file = await findOriginal(id, workspaceIds);
    if (!file) return sendJson(res, 404, NO_SUCH_MAIL);
    const isSent = await downloads.send(signedIn.sessionId, res, file, req.method === 'GET');
    if (!isSent)
      sendJson(res, 429, { message: TOO_MANY_DOWNLOADS }, { 'Retry-After': String(DOWNLOAD_RETRY_SECONDS) });
    return;
  }
  const mail = what === undefined ? await findHtml(id, workspaceIds) : null;
  if (!mail?.html) return sendJson(res, 404, NO_SUCH_MAIL);
  const withRemote = new URLSearchParams(req.url?.split('?', 2)[1] ?? '').get('pictures') === '1';
  const page = mailPage(mail.html, mail.attachments, { withRemote });
  requestId(res);
  res.writeHead(200, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': Buffer.byteLength(page),
    'Content-Security-Policy': mailPolicy({ withRemote }),
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'SAMEORIGIN',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cache-Control': 'private, no-store',
  });
  res.end(req.method === 'GET' ? page : undefined);
}

function findHtml(id: string, workspaceIds: string[]) {
  return db().message.findFirst({
    where: { id, workspaceId: { in: workspaceIds } },
    select: { html: true, attachments: { where: { inline: true }, select: { id: true, contentId: true } } },
    relationLoadStrategy: 'join',
  });
}

async function findOriginal(id: string, workspaceIds: string[]) {
  const message = await db().message.findFirst({
    where: { id, workspaceId: { in: workspaceIds } },
    select: { originalFile: { select: { id: true, sizeBytes: true } } },
    relationLoadStrategy: 'join',
  });
  const file = message?.originalFile;
  if (!file || file.sizeBytes === null) return undefined;
  // A kind that no browser opens, as whatever is in it is a stranger's.
  return {
    id: file.id,
    sizeBytes: file.sizeBytes,
    name: 'email.eml',
    contentType: 'application/octet-stream',
  };
}
