import { type AuthorizeError, parseAuthorizeRequest } from '#server/automation/oauth/authorize-request.ts';
import { toFormFields } from '#server/automation/oauth/consent-form.ts';
import { AUTHORIZE_PATH, consentNames, consentPage } from '#server/automation/oauth/consent-page.ts';
import type { ConsentView, ExitLinks } from '#server/automation/oauth/consent-view.ts';
import { settings } from '#server/core/env.ts';
import { SIGN_ON_START_PATH } from '#server/teammates/sign-on-paths.ts';
import type { SignedIn } from '#server/teammates/signed-in.ts';

/** Response of the authorize endpoint: a page with a status, or a redirect (always 303). */
export type AuthorizeResponse =
  | { kind: 'page'; status: number; view: ConsentView; retryAfterSeconds?: number }
  | { kind: 'redirect'; to: string; setCookies?: string[] };

/** Parameters of an authorize request. Other parameters are dropped. */
const PARAMETERS = [
  'response_type',
  'client_id',
  'redirect_uri',
  'state',
  'code_challenge',
  'code_challenge_method',
];

/** Returns only the parameters of the authorize request itself. */
export function authorizeParameters(sent: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...sent].filter(([name]) => PARAMETERS.includes(name)));
}

/** Returns the sign-in page, which returns to the same authorize request. */
export function signInResponse(sent: URLSearchParams): Extract<AuthorizeResponse, { kind: 'redirect' }> {
  return { kind: 'redirect', to: `/sign-in?next=${encodeURIComponent(authorizeUrl(sent))}` };
}

/** Returns the sign-in through the provider of a workspace, which returns to the same authorize request. */
function signOnResponse(workspaceId: string, sent: URLSearchParams): AuthorizeResponse {
  const to = `${SIGN_ON_START_PATH}${workspaceId}?next=${encodeURIComponent(authorizeUrl(sent))}`;
  return { kind: 'redirect', to };
}

function authorizeUrl(sent: URLSearchParams): string {
  return `${AUTHORIZE_PATH}?${authorizeParameters(sent)}`;
}

/**
 * Returns the links of a refused decision: retry the same request, or return to the platform with an error.
 */
export function exitLinks(parameters: URLSearchParams): ExitLinks {
  const cancel = { action: AUTHORIZE_PATH, fields: toFormFields(parameters) };
  return { retryUrl: authorizeUrl(parameters), cancel };
}

export function cardResponse(
  status: number,
  view: ConsentView,
): Extract<AuthorizeResponse, { kind: 'page' }> {
  return { kind: 'page', status, view };
}

/**
 * Returns an error page without links, as the client is not the platform (RFC 6749 §4.1.2.1, RFC 9700 §4.11).
 */
export function unknownClientResponse(): AuthorizeResponse {
  return cardResponse(400, { kind: 'unknown_client', ...consentNames() });
}

/** Redirects to the platform's fixed address with an error. */
export function errorResponse(error: AuthorizeError, state: string | undefined): AuthorizeResponse {
  return { kind: 'redirect', to: platformReturn({ error, state }) };
}

/** Returns the page for an internal error: no code was issued, so nothing is connected. */
export function faultResponse(parameters: URLSearchParams): AuthorizeResponse {
  const isValid = parseAuthorizeRequest(parameters).kind === 'valid';
  const retryUrl = isValid ? authorizeUrl(parameters) : null;
  return cardResponse(500, { kind: 'fault', retryUrl, ...consentNames() });
}

/**
 * Returns the redirect address to the platform. The base is always the registered address, so redirecting
 * elsewhere is impossible (RFC 9700 §2.1). Adds no `iss` parameter.
 */
export function platformReturn(parameters: Record<string, string | undefined>): string {
  const url = new URL(settings().PLATFORM_RETURN_URL);
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) url.searchParams.append(name, value);
  }
  return url.href;
}

/**
 * Handles GET /oauth/authorize (docs/spec.md §4.1, RFC 6749 §4.1.1). Validates parameters before sign-in.
 * @param findSignedIn reads the session; not called for a refused request
 */
export async function getConsent(
  parameters: URLSearchParams,
  findSignedIn: () => Promise<SignedIn | null>,
): Promise<AuthorizeResponse> {
  const parsed = parseAuthorizeRequest(parameters);
  if (parsed.kind === 'unknown_client') return unknownClientResponse();
  if (parsed.kind === 'refused') return errorResponse(parsed.error, parsed.state);
  const signedIn = await findSignedIn();
  if (!signedIn) return signInResponse(parameters);
  const locked = signedIn.lockedWorkspaces.find(({ way }) => way === 'single_sign_on');
  if (!signedIn.workspace && locked) return signOnResponse(locked.id, parameters);
  return cardResponse(200, await consentPage(signedIn, parsed.request, authorizeParameters(parameters)));
}
