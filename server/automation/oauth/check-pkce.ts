import { createHash } from 'node:crypto';
import { PKCE_VALUE } from '#server/automation/oauth/authorize-request.ts';
import { sameSecret } from '#server/core/secrets.ts';
import type { ChallengeMethod } from '#server/generated/prisma/enums.ts';

/**
 * Whether a verifier answers the challenge of the authorize request (RFC 7636 §4.6). Without a challenge there
 * may be no verifier either, or leaving the challenge out would be an attack (RFC 9700 §2.1.1).
 */
export function checkPkce(
  verifier: string | undefined,
  challenge: { value: string; method: ChallengeMethod } | null,
): boolean {
  if (!challenge) return verifier === undefined;
  if (verifier === undefined || !PKCE_VALUE.test(verifier)) return false;
  const answer =
    challenge.method === 'S256' ? createHash('sha256').update(verifier).digest('base64url') : verifier;
  return sameSecret(answer, challenge.value);
}
