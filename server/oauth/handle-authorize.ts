import type { IncomingMessage, ServerResponse } from 'node:http';
import { settings } from '#server/env.ts';
import { contentSecurityPolicy } from '#server/http/content-security-policy.ts';
import { headersOf } from '#server/http/headers-of.ts';
import type { PageRenderer } from '#server/http/page-renderer.ts';
import { type AuthorizeAnswer, decideConsent, showConsent } from '#server/oauth/authorize.ts';
import { AUTHORIZE_PATH } from '#server/oauth/consent-page.ts';
import { readForm } from '#server/oauth/read-form.ts';
import { findSignedIn } from '#server/teammates/signed-in.ts';

/** The consent page and the decision posted from it, over HTTP. */
export async function handleAuthorize(
  req: IncomingMessage,
  res: ServerResponse,
  renderPage: PageRenderer,
): Promise<void> {
  const session = () => findSignedIn(headersOf(req));
  if (req.method !== 'GET' && req.method !== 'HEAD' && req.method !== 'POST') {
    res.writeHead(405, { Allow: 'GET, HEAD, POST' }).end();
    return;
  }
  const answer =
    req.method === 'POST'
      ? await decideConsent(await readForm(req), { sameOrigin: isSameOrigin(req), findSignedIn: session })
      : await showConsent(new URL(req.url ?? '', 'http://localhost').searchParams, session);
  await sendAnswer(req, res, answer, renderPage);
}

async function sendAnswer(
  req: IncomingMessage,
  res: ServerResponse,
  answer: AuthorizeAnswer,
  renderPage: PageRenderer,
): Promise<void> {
  res.setHeader('Cache-Control', 'no-store');
  res.setHeader('Referrer-Policy', 'no-referrer');
  if (answer.kind === 'redirect') {
    // 303, so that the browser asks for the next page with GET whatever brought it here (RFC 9700 §4.12).
    res.writeHead(303, { Location: answer.to }).end();
    return;
  }
  if (answer.retryAfterSeconds !== undefined) res.setHeader('Retry-After', answer.retryAfterSeconds);
  res.statusCode = answer.status;
  // Browsers apply form-action to the redirect that answers a form, so the platform must stand in it.
  const formAction = ["'self'", new URL(settings().PLATFORM_RETURN_URL).origin];
  contentSecurityPolicy(req, res, { formAction, inlineStyles: false });
  await renderPage(req, res, { path: AUTHORIZE_PATH, consent: answer.view });
}

/**
 * Whether our own page posted a form. `Sec-Fetch-Site` says so in every browser of today; where it is missing,
 * `Origin` must be ours, or `null`, which is what `Referrer-Policy: no-referrer` makes of it. The form's own
 * secret is checked in any case.
 */
function isSameOrigin(req: IncomingMessage): boolean {
  const site = req.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin } = req.headers;
  return origin === undefined || origin === 'null' || origin === new URL(settings().BASE_URL).origin;
}
