import type { IncomingMessage, ServerResponse } from 'node:http';
import { CLIENT_ADDRESS_HEADER } from '#server/core/limits/address-key.ts';
import { consumeLimit } from '#server/core/limits/limits.ts';
import { escapeHtml } from '#server/core/text.ts';
import { sendText } from '#server/http/response/send-json.ts';
import { declineRatings, findDeclinable, UNSUBSCRIBE_PATH } from '#server/inbox/ratings/rating-link.ts';

/**
 * Ends the emails that ask a contact for ratings. Mail clients post here automatically (RFC 8058); people get
 * a page with a button. Opening the page changes nothing, because programs follow links before people do.
 */
export async function handleUnsubscribe(
  req: IncomingMessage,
  res: ServerResponse,
  path: string,
): Promise<void> {
  const address = String(req.headers[CLIENT_ADDRESS_HEADER] ?? '');
  if (!(await consumeLimit('unsubscribe', address)).allowed) {
    return sendPage(res, 429, page('Too many requests', 'Wait a minute and try again.'));
  }
  const token = path.slice(UNSUBSCRIBE_PATH.length);
  if (req.method === 'POST') {
    const declined = await declineRatings(token);
    if (!declined) return sendPage(res, 404, GONE);
    const { workspaceName } = declined;
    return sendPage(res, 200, page('Unsubscribed', `${workspaceName} no longer emails you for ratings.`));
  }
  const found = await findDeclinable(token);
  if (!found) return sendPage(res, 404, GONE);
  const { name } = found.workspace;
  const question = `${name} emails you for a rating after a conversation was solved. Their replies reach you either way.`;
  sendPage(res, 200, page('No more emails asking for ratings?', question, 'Unsubscribe'));
}

/** Styled like the app, whose style sheet is not loaded here: one request, no script, no external resource. */
const STYLE = `:root{color-scheme:light dark}*{box-sizing:border-box}
body{margin:0;min-height:100dvh;display:grid;place-items:center;padding:1rem;font:14px/1.5 "Inter Variable",system-ui,sans-serif;background:light-dark(#f6f6f7,#101113);color:light-dark(#19191c,#ededf0)}
main{width:100%;max-width:24rem;padding:1.5rem;border:1px solid light-dark(#e3e3e7,#2c2e33);border-radius:8px;background:light-dark(#fff,#17181b)}
h1{font-size:1.125rem;font-weight:600;line-height:1.4;margin:0 0 .5rem;overflow-wrap:anywhere}p{margin:0;color:light-dark(#53535d,#b0b2bb);overflow-wrap:anywhere}
button{font:inherit;font-weight:500;width:100%;min-height:2.75rem;margin-top:1.25rem;padding:0 1.25rem;border:0;border-radius:8px;background:light-dark(#3450cf,#4863e8);color:#fff;cursor:pointer}
button:hover{background:light-dark(#2a42b2,#3c56d6)}button:focus-visible{outline:2px solid light-dark(#2a42b2,#a9b8ff);outline-offset:2px}`;

function page(title: string, text: string, button?: string): string {
  const form = button ? `<form method="post"><button>${button}</button></form>` : '';
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex"><title>${escapeHtml(title)}</title><style>${STYLE}</style></head>
<body><main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>${form}</main></body></html>`;
}

const GONE = page('This link does not work', 'The link was changed, or the conversation no longer exists.');

function sendPage(res: ServerResponse, status: number, body: string): void {
  sendText(res, status, body, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy':
      "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'private, no-store',
  });
}
