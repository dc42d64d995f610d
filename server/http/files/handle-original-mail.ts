import type { IncomingMessage, ServerResponse } from 'node:http';
import { validate as isUuid } from 'uuid';
import { countDownload, type Downloads, refuseDownload } from '#server/http/files/send-attachment.ts';
import { headersOf, queryOf } from '#server/http/request/request-parts.ts';
import { sendJson, sendText } from '#server/http/response/send-json.ts';
import { pictureKey } from '#server/inbox/mail-parser/picture-key.ts';
import { findMailHtml, findOriginalMail, type MailPicture } from '#server/inbox/messages/find-mail.ts';
import { findSignedIn } from '#server/teammates/signed-in.ts';

/**
 * Path prefix of an email for teammates, followed by the message id. The suffix `/original` downloads the raw
 * email.
 */
export const MAILS_PATH = '/mails/';

const NO_SUCH_MAIL = { message: 'The email was not found.' };

/**
 * Shows an email's HTML to a signed-in teammate of its workspace, or sends its original. `?pictures=1`
 * includes pictures from other servers. For everyone else the email does not exist.
 */
export async function handleMail(
  downloads: Downloads,
  req: IncomingMessage,
  res: ServerResponse,
  path: string,
): Promise<void> {
  const signedIn = await findSignedIn(headersOf(req));
  if (!signedIn) return sendJson(res, 401, { message: 'Sign in to open this email.' });
  if (!(await countDownload(res, signedIn.user.id))) return;
  const [id = '', what, ...more] = path.slice(MAILS_PATH.length).split('/');
  if (!isUuid(id) || more.length > 0) return sendJson(res, 404, NO_SUCH_MAIL);
  if (what === 'original') {
    const file = await findOriginalMail(id, signedIn.workspaces);
    if (!file) return sendJson(res, 404, NO_SUCH_MAIL);
    const isSent = await downloads.send(signedIn.sessionId, res, file);
    if (!isSent) refuseDownload(res);
    return;
  }
  const mail = what === undefined ? await findMailHtml(id, signedIn.workspaces) : null;
  if (!mail?.html) return sendJson(res, 404, NO_SUCH_MAIL);
  const withRemote = queryOf(req).get('pictures') === '1';
  const page = mailPage(mail.html, mail.attachments, { withRemote });
  sendText(res, 200, page, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': mailPolicy({ withRemote }),
    'X-Frame-Options': 'SAMEORIGIN',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cache-Control': 'private, no-store',
  });
}

/**
 * Renders the page of an email's sanitized HTML. Attached pictures are embedded; pictures on other servers
 * only load on the reader's request.
 * @param html from `sanitizeMail`: attributes have double quotes
 */
function mailPage(html: string, pictures: MailPicture[], { withRemote }: { withRemote: boolean }): string {
  const ids = new Map(pictures.map(({ id, contentId }) => [pictureKey(contentId ?? ''), id]));
  const shown = html.replaceAll(/ src="cid:([^"]{1,600})"/gi, (_all, contentId: string) => {
    const id = ids.get(pictureKey(contentId));
    return id === undefined ? '' : ` src="/attachments/${id}"`;
  });
  return `${HEAD}${withRemote ? shown.replaceAll(' data-remote="', ' src="') : shown}</body></html>`;
}

const HEAD = `<!doctype html><html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Email</title><style>
:root{color-scheme:light}body{margin:0;padding:16px;background:#fff;color:#1c1c1e;font:14px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
img{max-width:100%;height:auto}table{max-width:100%}blockquote{margin:0 0 0 8px;padding-left:12px;border-left:2px solid #d4d4d8}
pre{white-space:pre-wrap}</style></head><body>`;

/**
 * Content security policy of the page. Nothing runs or loads, links open in a separate page, and pictures on
 * other servers are allowed on request.
 */
function mailPolicy({ withRemote }: { withRemote: boolean }): string {
  return [
    "default-src 'none'",
    `img-src 'self' data:${withRemote ? ' https: http:' : ''}`,
    "style-src 'unsafe-inline'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox',
  ].join('; ');
}
