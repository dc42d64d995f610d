import { judgeAuthorizeRequest } from '#server/automation/oauth/authorize-request.ts';
import {
  type AuthorizeResponse,
  authorizeParameters,
  authorizeUrl,
  cardResponse,
  errorResponse,
  unknownClientResponse,
} from '#server/automation/oauth/authorize-response.ts';
import { consentPage } from '#server/automation/oauth/consent-page.ts';
import type { SignedIn } from '#server/teammates/signed-in.ts';

/**
 * GET /oauth/authorize (spec.md §4.1, RFC 6749 §4.1.1). Parameters are judged before sign-in.
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
