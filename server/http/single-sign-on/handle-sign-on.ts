import type { IncomingMessage, ServerResponse } from 'node:http';
import { finishSignOn, type SignOnResult } from '#server/administration/single-sign-on/finish-sign-on.ts';
import { SignOnFault, type SignOnReason } from '#server/administration/single-sign-on/sign-on-fault.ts';
import { startSignOn } from '#server/administration/single-sign-on/start-sign-on.ts';
import { settings } from '#server/core/env.ts';
import { log } from '#server/core/log.ts';
import { escapeHtml } from '#server/core/text.ts';
import { headersOf, queryOf } from '#server/http/request/request-parts.ts';
import { sendText } from '#server/http/response/send-json.ts';
import { SIGN_ON_CALLBACK_PATH, SIGN_ON_START_PATH } from '#server/teammates/sign-on-paths.ts';
import { findSignedIn } from '#server/teammates/signed-in.ts';

const INBOX = '/inbox';
const SETTINGS = '/settings/workspace/single-sign-on';
const NEXT_MAX_LENGTH = 4_000;

/**
 * Starts a sign-in at the provider of a workspace. `next`: the path to open afterwards. `test`: an owner tests the provider. Providers
 * can link here (OpenID Connect Core §4): a page of ours asks first, because any other site could sign the browser in as its own user.
 */
export async function handleSignOnStart(
  req: IncomingMessage,
  res: ServerResponse,
  path: string,
): Promise<void> {
  const workspaceId = path.slice(SIGN_ON_START_PATH.length);
  const headers = headersOf(req);
  const query = queryOf(req);
  const next = pathOf(query.get('next'));
  const site = req.headers['sec-fetch-site'];
  if (site === 'cross-site' || site === 'same-site')
    return sendOnwards(res, problemPath('linked', { workspaceId, next }));
  const testedBy = query.has('test') ? await findOwner(headers, workspaceId) : null;
  if (testedBy === undefined) return sendOnwards(res, problemPath('off', { workspaceId, next }));
  try {
    const { to, setCookies } = await startSignOn(headers, { workspaceId, next, testedBy });
    sendOnwards(res, to, setCookies);
  } catch (error) {
    if (!(error instanceof SignOnFault)) throw error;
    log().info({ workspaceId, reason: error.reason, err: error.cause }, 'single_sign_on.not_started');
    sendOnwards(res, testedBy ? testPath(error.reason) : problemPath(error.reason, { workspaceId, next }));
  }
}

/** Returns the signed-in owner of the workspace; undefined when there is none. */
async function findOwner(headers: Headers, workspaceId: string): Promise<string | undefined> {
  const signedIn = await findSignedIn(headers);
  const isOwner = signedIn?.workspaces.some(({ id, role }) => id === workspaceId && role === 'owner');
  return isOwner ? signedIn?.user.id : undefined;
}

/** Marks the second request of a callback. */
const SECOND = 'again';

/**
 * Handles the return from a provider. Browsers do not send our strict cookies, which name known and trusted browsers, with a request
 * that another site caused: the first response has our own page request the address again.
 */
export async function handleSignOnCallback(
  req: IncomingMessage,
  res: ServerResponse,
  path: string,
): Promise<void> {
  const query = queryOf(req);
  const site = req.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && !query.has(SECOND)) {
    query.set(SECOND, '1');
    return sendOnwards(res, `${path}?${query}`);
  }
  query.delete(SECOND);
  const workspaceId = path.slice(SIGN_ON_CALLBACK_PATH.length);
  const result = await finishSignOn(headersOf(req), { workspaceId, query });
  sendOnwards(res, targetOf(result, workspaceId), result.kind === 'signed_in' ? result.setCookies : []);
}

function targetOf(result: SignOnResult, workspaceId: string): string {
  switch (result.kind) {
    case 'tested':
      return testPath('ok');
    case 'signed_in':
      // The page asks for a second factor if one is needed, and redirects otherwise.
      return `/sign-in?${new URLSearchParams({ next: result.next })}`;
    case 'failed': {
      const { fault, attempt } = result;
      if (attempt?.testedBy) return testPath(fault.reason);
      return problemPath(fault.reason, { workspaceId, next: attempt?.next ?? INBOX });
    }
  }
}

function testPath(outcome: string): string {
  return `${SETTINGS}?${new URLSearchParams({ test: outcome })}`;
}

function problemPath(
  reason: SignOnReason,
  { workspaceId, next }: { workspaceId: string; next: string },
): string {
  return `/sign-in/problem?${new URLSearchParams({ reason, workspace: workspaceId, next })}`;
}

/** Returns a path of this service, otherwise the inbox, so that the address cannot lead elsewhere. */
function pathOf(wanted: string | null): string {
  const { origin } = new URL(settings().BASE_URL);
  const url = wanted?.startsWith('/') && wanted.length <= NEXT_MAX_LENGTH ? URL.parse(wanted, origin) : null;
  return url?.origin === origin ? `${url.pathname}${url.search}${url.hash}` : INBOX;
}

/**
 * Sends a page that opens an address. A redirect would be refused after a form of ours, because its policy allows no other site as a
 * target.
 */
function sendOnwards(res: ServerResponse, to: string, setCookies: string[] = []): void {
  if (setCookies.length > 0) res.appendHeader('Set-Cookie', setCookies);
  const target = escapeHtml(to);
  const body = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex"><meta http-equiv="refresh" content="0;url=${target}"><title>Single sign-on</title>
<style>:root{color-scheme:light dark}body{margin:0;min-height:100dvh;display:grid;place-items:center;font:14px/1.5 system-ui,sans-serif}</style></head>
<body><main><a href="${target}">Continue</a></main></body></html>`;
  sendText(res, 200, body, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy':
      "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
  });
}
