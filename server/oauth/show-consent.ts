import {
  type AuthorizeAnswer,
  authorizeParameters,
  authorizeUrl,
  cardAnswer,
  errorAnswer,
  unknownClientAnswer,
} from '#server/oauth/authorize-answer.ts';
import { judgeAuthorizeRequest } from '#server/oauth/authorize-request.ts';
import { consentPage } from '#server/oauth/consent-page.ts';
import type { SignedIn } from '#server/teammates/signed-in.ts';

/**
 * GET /oauth/authorize (spec.md §4.1, RFC 6749 §4.1.1). Parameters are judged before sign-in.
 * @param findSignedIn reads the session; not called for a request that is refused
 */
export async function showConsent(
  parameters: URLSearchParams,
  findSignedIn: () => Promise<SignedIn | null>,
): Promise<AuthorizeAnswer> {
  const judged = judgeAuthorizeRequest(parameters);
  if (judged.kind === 'unknown_client') return unknownClientAnswer();
  if (judged.kind === 'refused') return errorAnswer(judged.error, judged.state);
  const signedIn = await findSignedIn();
  if (!signedIn) {
    return { kind: 'redirect', to: `/sign-in?next=${encodeURIComponent(authorizeUrl(parameters))}` };
  }
  return cardAnswer(200, await consentPage(signedIn, judged.request, authorizeParameters(parameters)));
}
