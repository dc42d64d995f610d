import { type AuthorizeError, judgeAuthorizeRequest } from '#server/automation/oauth/authorize-request.ts';
import { AUTHORIZE_PATH, consentNames } from '#server/automation/oauth/consent-page.ts';
import type { ConsentView, WaysOn } from '#server/automation/oauth/consent-view.ts';
import { toFormFields } from '#server/automation/oauth/form-fields.ts';
import { platformReturn } from '#server/automation/oauth/platform-return.ts';

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
export function authorizeUrl(sent: URLSearchParams): string {
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
