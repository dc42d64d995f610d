import { type AuthorizeError, judgeAuthorizeRequest } from '#server/automation/oauth/authorize-request.ts';
import { toFormFields } from '#server/automation/oauth/consent-form.ts';
import { AUTHORIZE_PATH, consentNames, consentPage } from '#server/automation/oauth/consent-page.ts';
import type { ConsentView, WaysOn } from '#server/automation/oauth/consent-view.ts';
import { settings } from '#server/core/env.ts';
import type { SignedIn } from '#server/teammates/signed-in.ts';

/** What the authorize address answers: a card at a status, or a redirect (always 303). */
export type AuthorizeResponse =
  | { kind: 'page'; status: number; view: ConsentView; retryAfterSeconds?: number }
  | { kind: 'redirect'; to: string };

/** The parameters of an authorize request; what else is sent is ignored and goes no further. */
const PARAMETERS = [
  'response_type',
  'client_id',
  'redirect_uri',
  'state',
  'code_challenge',
  'code_challenge_method',
];

/** The authorize request itself, without what a form or anyone else adds to it. */
export function authorizeParameters(sent: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...sent].filter(([name]) => PARAMETERS.includes(name)));
}

/** The address, as a path, at which the same request is asked once more. */
function authorizeUrl(sent: URLSearchParams): string {
  return `${AUTHORIZE_PATH}?${authorizeParameters(sent)}`;
}

/** The ways on from a refused decision: the same request once more, or back to the platform with the error. */
export function waysOn(parameters: URLSearchParams): WaysOn {
  const cancel = { action: AUTHORIZE_PATH, fields: toFormFields(parameters) };
  return { retryUrl: authorizeUrl(parameters), cancel };
}

/** A card at a status. */
export function cardResponse(
  status: number,
  view: ConsentView,
): Extract<AuthorizeResponse, { kind: 'page' }> {
  return { kind: 'page', status, view };
}

/** Not the platform: a page that leads nowhere (RFC 6749 §4.1.2.1, RFC 9700 §4.11). */
export function unknownClientResponse(): AuthorizeResponse {
  return cardResponse(400, { kind: 'unknown_client', ...consentNames() });
}

/** Redirects to the platform's one address with an error. */
export function errorResponse(error: AuthorizeError, state: string | undefined): AuthorizeResponse {
  return { kind: 'redirect', to: platformReturn({ error, state }) };
}

/** A fault of ours kept the response from being found: no code was given out, so nothing is connected. */
export function faultResponse(parameters: URLSearchParams): AuthorizeResponse {
  const isValid = judgeAuthorizeRequest(parameters).kind === 'valid';
  const retryUrl = isValid ? authorizeUrl(parameters) : null;
  return cardResponse(500, { kind: 'fault', retryUrl, ...consentNames() });
}

/**
 * The address that takes the browser back to the platform. It always begins with the one address that the
 * platform registered, so that redirecting anywhere else is impossible (RFC 9700 §2.1). No `iss` parameter.
 */
export function platformReturn(parameters: Record<string, string | undefined>): string {
  const url = new URL(settings().PLATFORM_RETURN_URL);
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) url.searchParams.append(name, value);
  }
  return url.href;
}

/**
 * GET /oauth/authorize (docs/spec.md §4.1, RFC 6749 §4.1.1). Parameters are judged before sign-in.
 * @param findSignedIn reads the session; not called for a request that is refused
 */
export async function getConsent(
  parameters: URLSearchParams,
  findSignedIn: () => Promise<SignedIn | null>,
): Promise<AuthorizeResponse> {
  const judged = judgeAuthorizeRequest(parameters);
  if (judged.kind === 'unknown_client') return unknownClientResponse();
  if (judged.kind === 'refused') return errorResponse(judged.error, judged.state);
  const signedIn = await findSignedIn();
  if (!signedIn) {
    return { kind: 'redirect', to: `/sign-in?next=${encodeURIComponent(authorizeUrl(parameters))}` };
  }
  return cardResponse(200, await consentPage(signedIn, judged.request, authorizeParameters(parameters)));
}
