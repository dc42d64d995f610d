import { verifyAuthenticationResponse } from '@simplewebauthn/server';
import {
  type ChallengeOwner,
  consumeChallenge,
  relyingParty,
} from '#server/administration/accounts/passkeys/challenges.ts';
import type { Assertion } from '#server/administration/accounts/passkeys/passkey-inputs.ts';
import { db, type Tx } from '#server/core/database/prisma.ts';
import { invalid } from '#server/core/errors.ts';
import { log } from '#server/core/log.ts';

const REFUSED =
  'This passkey can’t be used: it was removed, belongs to another account, or did not confirm that it is you.';

/** A passkey that signed a challenge. `useAssertion` records it. */
export type VerifiedAssertion = { passkeyId: string; userId: string; counter: bigint; newCounter: bigint };

/**
 * Checks a signed challenge: its origin and relying party, the signature, its user and the counter. Uses the challenge up.
 * @param check.userId the only account whose passkeys are accepted. Undefined: all
 * @param check.requireUserVerification refuses an authenticator that did not verify its user with a PIN or biometrics
 * @param check.onRefused is called when a passkey of this account was refused
 * @throws Refusal when anything does not match
 */
export async function verifyAssertion(
  response: Assertion,
  check: {
    challenge: ChallengeOwner;
    userId?: string;
    requireUserVerification: boolean;
    onRefused: (userId: string) => Promise<void>;
  },
): Promise<VerifiedAssertion> {
  const challenges = await consumeChallenge(check.challenge);
  const passkey = await db().passkey.findFirst({
    where: {
      credentialId: response.id,
      user: { deletedAt: null },
      ...(check.userId === undefined ? {} : { userId: check.userId }),
    },
  });
  if (!passkey) {
    if (check.userId !== undefined) await check.onRefused(check.userId);
    throw invalid({ passkey: [REFUSED] });
  }
  const { id: passkeyId, userId, counter } = passkey;
  const { userHandle } = response.response;
  const { id: rpId, origin } = relyingParty();
  const verified = await verifyAuthenticationResponse({
    response: { ...response, response: withoutUndefined(response.response), clientExtensionResults: {} },
    expectedChallenge: (given) => challenges.includes(given),
    expectedOrigin: origin,
    expectedRPID: rpId,
    credential: {
      id: passkey.credentialId,
      publicKey: passkey.publicKey,
      counter: Number(counter),
    },
    requireUserVerification: check.requireUserVerification,
  }).catch((error: unknown) => {
    // The library throws on each mismatch, such as a counter that went back, and returns false for a wrong signature only.
    log().info(
      { userId, reason: error instanceof Error ? error.message.slice(0, 200) : '' },
      'passkey.refused',
    );
    return { verified: false as const, authenticationInfo: undefined };
  });
  const isOwnHandle = userHandle === undefined || userHandle === encodeUserHandle(userId);
  if (!verified.verified || !verified.authenticationInfo || !isOwnHandle) {
    await check.onRefused(userId);
    throw invalid({ passkey: [REFUSED] });
  }
  return { passkeyId, userId, counter, newCounter: BigInt(verified.authenticationInfo.newCounter) };
}

/**
 * Records the use of a passkey, in the transaction of what it allows.
 * @throws Refusal when it was removed or used since it was verified
 */
export async function useAssertion(tx: Tx, assertion: VerifiedAssertion): Promise<void> {
  const { passkeyId, userId, counter, newCounter } = assertion;
  const { count } = await tx.passkey.updateMany({
    where: { id: passkeyId, userId, counter },
    data: { counter: newCounter, lastUsedAt: new Date() },
  });
  if (count === 0) throw invalid({ passkey: [REFUSED] });
}

/** Returns the user handle of an account, in base64url as in responses. */
function encodeUserHandle(userId: string): string {
  return Buffer.from(userId).toString('base64url');
}

function withoutUndefined({ userHandle, ...rest }: Assertion['response']) {
  return userHandle === undefined ? rest : { ...rest, userHandle };
}
