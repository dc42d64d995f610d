import {
  type AuthenticatorTransport,
  generateAuthenticationOptions,
  type PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import {
  CHALLENGE_MS,
  lockAccount,
  relyingParty,
  storeChallenge,
} from '#server/administration/accounts/passkeys/challenges.ts';
import type { Assertion } from '#server/administration/accounts/passkeys/passkey-inputs.ts';
import { useAssertion, verifyAssertion } from '#server/administration/accounts/passkeys/verify-assertion.ts';
import {
  finishSecondStep,
  recordFailedStep,
  requirePendingSignIn,
} from '#server/administration/accounts/second-factor/pass-second-step.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { Refusal } from '#server/core/errors.ts';

/**
 * Starts a second step with a passkey of the account that waits for it.
 * @returns the options for the browser
 * @throws Refusal when no sign-in waits, or its account has no passkey
 */
export async function startPasskeyStep(headers: Headers): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { userId, sessionId } = await requirePendingSignIn(headers);
  const passkeys = await db().passkey.findMany({
    where: { userId },
    select: { credentialId: true, transports: true },
  });
  if (passkeys.length === 0) throw new Refusal('forbidden', 'You have no passkey. Enter a code instead.');
  const options = await generateAuthenticationOptions({
    rpID: relyingParty().id,
    timeout: CHALLENGE_MS,
    userVerification: 'preferred',
    allowCredentials: passkeys.map(({ credentialId, transports }) => ({
      id: credentialId,
      transports: transports as AuthenticatorTransport[],
    })),
  });
  await storeChallenge({ purpose: 'second-step', owner: sessionId }, options.challenge, userId);
  return options;
}

/**
 * Finishes a sign-in with a passkey as the second step. The first step has shown who it is, so the passkey need not verify its user.
 * @throws Refusal when no sign-in waits, or the passkey is refused
 */
export async function passPasskeyStep(
  headers: Headers,
  response: Assertion,
): Promise<{ setCookies: string[] }> {
  const pending = await requirePendingSignIn(headers);
  const { userId, sessionId } = pending;
  const assertion = await verifyAssertion(response, {
    challenge: { purpose: 'second-step', owner: sessionId },
    userId,
    requireUserVerification: false,
    onRefused: () => recordFailedStep(headers, userId, 'passkey'),
  });
  const cookie = await inTransaction(async (tx) => {
    await lockAccount(tx, userId);
    await useAssertion(tx, assertion);
    return finishSecondStep(tx, { headers, pending, method: 'a passkey' });
  });
  return { setCookies: [cookie] };
}
