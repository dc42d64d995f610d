import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type AuthorizeResponse,
  authorizeParameters,
  faultResponse,
  getConsent,
} from '#server/automation/oauth/authorize-response.ts';
import { fromFormFields } from '#server/automation/oauth/consent-form.ts';
import { AUTHORIZE_PATH } from '#server/automation/oauth/consent-page.ts';
import { decideConsent } from '#server/automation/oauth/decide-consent.ts';
import { settings } from '#server/core/env.ts';
import { log } from '#server/core/log.ts';
import { readForm } from '#server/http/request/read-body.ts';
import { headersOf, queryOf } from '#server/http/request/request-parts.ts';
import type { PageRenderer } from '#server/http/response/page-renderer.ts';
import { contentSecurityPolicy } from '#server/http/response/security-headers.ts';
import { requestId } from '#server/http/response/send-json.ts';
import { signOut } from '#server/teammates/sign-in.ts';
import { findSignedIn } from '#server/teammates/signed-in.ts';

/** Handles the consent page and its posted decision. */
export async function handleAuthorize(
  req: IncomingMessage,
  res: ServerResponse,
  renderPage: PageRenderer,
): Promise<void> {
  const session = () => findSignedIn(headersOf(req));
  res.setHeader('Cache-Control', 'no-store');
  res.setHeader('Referrer-Policy', 'no-referrer');
  if (req.method !== 'POST') {
    const query = queryOf(req);
    const response = await orErrorPage(res, query, () => getConsent(query, session));
    return sendResponse(req, res, response, renderPage);
  }
  const posted = await readForm(req);
  const decided = {
    sameOrigin: isSameOrigin(req),
    findSignedIn: session,
    endSession: () => signOut(headersOf(req)),
  };
  const response = await orErrorPage(res, fromFormFields(posted), () => decideConsent(posted, decided));
  return sendResponse(req, res, response, renderPage);
}

/** Returns the result of `find`, or the error page for a server error. */
async function orErrorPage(
  res: ServerResponse,
  parameters: URLSearchParams,
  find: () => Promise<AuthorizeResponse>,
): Promise<AuthorizeResponse> {
  try {
    return await find();
  } catch (error) {
    log().error({ err: error, requestId: requestId(res), path: AUTHORIZE_PATH }, 'oauth.failed');
    return faultResponse(authorizeParameters(parameters));
  }
}

async function sendResponse(
  req: IncomingMessage,
  res: ServerResponse,
  response: AuthorizeResponse,
  renderPage: PageRenderer,
): Promise<void> {
  // 303, so that the browser requests the next page with GET (RFC 9700 §4.12).
  const status = response.kind === 'page' ? response.status : 303;
  const page = response.kind === 'page' ? response.view.kind : undefined;
  log().info({ requestId: requestId(res), method: req.method, status, page }, 'oauth.consent_answered');
  if (response.kind === 'redirect') {
    if (response.setCookies) res.appendHeader('Set-Cookie', response.setCookies);
    res.writeHead(status, { Location: response.to }).end();
    return;
  }
  if (response.retryAfterSeconds !== undefined) res.setHeader('Retry-After', response.retryAfterSeconds);
  res.statusCode = status;
  // Browsers apply form-action to the redirect after a form, so it must include the platform.
  const formAction = ["'self'", new URL(settings().PLATFORM_RETURN_URL).origin];
  contentSecurityPolicy(req, res, { formAction, inlineStyles: false });
  await renderPage(req, res, { path: AUTHORIZE_PATH, consent: response.view });
}

/**
 * Returns whether our own page posted the form. Every current browser sends `Sec-Fetch-Site`. Without it,
 * `Origin` must be ours, or `null`, which `Referrer-Policy: no-referrer` causes. The form's secret is checked
 * in any case.
 */
function isSameOrigin(req: IncomingMessage): boolean {
  const site = req.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin } = req.headers;
  return origin === undefined || origin === 'null' || origin === new URL(settings().BASE_URL).origin;
}
