import {
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { v7 as uuidv7 } from 'uuid';
import { checkPassword } from '#server/administration/accounts/change-password.ts';
import {
  CHALLENGE_MS,
  consumeChallenge,
  lockAccount,
  relyingParty,
  storeChallenge,
} from '#server/administration/accounts/passkeys/challenges.ts';
import type { NewCredential } from '#server/administration/accounts/passkeys/passkey-inputs.ts';
import {
  finishRemoval,
  queueMail,
  replaceCodes,
  requireSecondStepElsewhere,
} from '#server/administration/accounts/second-factor/set-up.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { isUniqueViolation } from '#server/core/database/errors.ts';
import { db, inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { invalid, notFound } from '#server/core/errors.ts';
import { log } from '#server/core/log.ts';
import { cleanName } from '#server/core/text.ts';
import { addSignInEntries } from '#server/teammates/audit-log.ts';
import { HAS_SECOND_FACTOR } from '#server/teammates/has-second-factor.ts';

/** Maximum number of passkeys of an account. */
const PASSKEYS_MAX = 20;

/** EdDSA, ES256 and RS256 (RFC 9053, RFC 8812). The same on each server, whatever its version of Node.js supports. */
const ALGORITHMS = [-8, -7, -257];

const TOO_MANY = `An account can have ${PASSKEYS_MAX} passkeys. Remove one that you don’t use.`;
const NO_NAME = 'Enter a name, such as the device that stores the passkey.';
const NOT_ADDED = 'The passkey could not be verified. Try again.';
const EXISTS = 'This passkey was added before.';

/** A teammate, in the session in which they act. */
type Actor = { user: Teammate; sessionId: string };

/** A passkey in the list of its teammate. */
export type PasskeyView = { id: string; name: string; createdAt: Date; lastUsedAt: Date | null };

/** Lists the passkeys of a teammate, the oldest first. */
export function listPasskeys(userId: string): Promise<PasskeyView[]> {
  return db().passkey.findMany({
    where: { userId },
    select: { id: true, name: true, createdAt: true, lastUsedAt: true },
    orderBy: { createdAt: 'asc' },
  });
}

/**
 * Starts to add a passkey.
 * @returns the options for the browser
 * @throws Refusal when the password is wrong, or the account has the maximum number of passkeys
 */
export async function startPasskey(
  actor: Actor & { password: string },
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { user, sessionId } = actor;
  await checkPassword(actor);
  const passkeys = await db().passkey.findMany({
    where: { userId: user.id },
    select: { credentialId: true },
  });
  if (passkeys.length >= PASSKEYS_MAX) throw invalid({ passkey: [TOO_MANY] });
  const options = await generateRegistrationOptions({
    rpName: settings().SERVICE_NAME,
    rpID: relyingParty().id,
    userID: Uint8Array.from(Buffer.from(user.id)),
    userName: user.email,
    userDisplayName: user.name,
    timeout: CHALLENGE_MS,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: passkeys.map(({ credentialId }) => ({ id: credentialId })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  });
  await storeChallenge({ purpose: 'add', owner: sessionId }, options.challenge, user.id);
  return options;
}

/**
 * Adds a passkey, and tells the teammate by email. If it is their first second factor, all their other sessions have to pass it
 * before they work again.
 * @returns the recovery codes if it is their first second factor, otherwise none
 * @throws Refusal when the browser's answer does not match, or the account has the maximum number of passkeys
 */
export async function addPasskey({
  user,
  sessionId,
  name,
  response,
}: Actor & { name: string; response: NewCredential }): Promise<string[]> {
  const userId = user.id;
  const passkeyName = cleanName(name);
  if (passkeyName === '') throw invalid({ name: [NO_NAME] });
  const credential = await verifyNewCredential(sessionId, response);
  try {
    return await inTransaction(async (tx) => {
      await lockAccount(tx, userId);
      if ((await tx.passkey.count({ where: { userId } })) >= PASSKEYS_MAX)
        throw invalid({ passkey: [TOO_MANY] });
      const isFirstFactor = (await tx.user.count({ where: { id: userId, ...HAS_SECOND_FACTOR } })) === 0;
      await tx.passkey.create({
        data: { ...credential, userId, name: passkeyName },
        select: { id: true },
      });
      await record(tx, userId, 'passkey_added', passkeyName);
      await queueMail(tx, userId, 'passkey_added', { passkeyName });
      if (!isFirstFactor) return [];
      await requireSecondStepElsewhere(tx, { userId, sessionId });
      return replaceCodes(tx, userId);
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw invalid({ passkey: [EXISTS] });
    throw error;
  }
}

async function verifyNewCredential(sessionId: string, response: NewCredential) {
  const challenges = await consumeChallenge({ purpose: 'add', owner: sessionId });
  const { id: rpId, origin } = relyingParty();
  const { registrationInfo } = await verifyRegistrationResponse({
    // Results of extensions are not used.
    response: { ...response, clientExtensionResults: {} },
    expectedChallenge: (given) => challenges.includes(given),
    expectedOrigin: origin,
    expectedRPID: rpId,
    requireUserVerification: false,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch((error: unknown) => {
    log().info({ reason: error instanceof Error ? error.message.slice(0, 200) : '' }, 'passkey.not_added');
    return { registrationInfo: undefined };
  });
  if (!registrationInfo) throw invalid({ passkey: [NOT_ADDED] });
  const { id, publicKey, counter } = registrationInfo.credential;
  return {
    credentialId: id,
    publicKey,
    counter: BigInt(counter),
    transports: response.response.transports,
  };
}

/**
 * Removes a passkey, and tells its teammate by email.
 * @throws Refusal when the password is wrong, or it is their last second factor and a workspace requires one now
 */
export async function removePasskey({
  id,
  ...actor
}: Actor & { password: string; id: string }): Promise<void> {
  const userId = actor.user.id;
  await checkPassword(actor);
  await inTransaction(async (tx) => {
    await lockAccount(tx, userId);
    const [removed] = await tx.$queryRaw<{ name: string }[]>`
      delete from passkeys where id = ${id}::uuid and user_id = ${userId}::uuid returning name`;
    if (!removed) throw notFound('The passkey');
    await finishRemoval(tx, userId);
    await record(tx, userId, 'passkey_removed', removed.name);
    await queueMail(tx, userId, 'passkey_removed', { passkeyName: removed.name });
  });
}

function record(
  tx: Tx,
  userId: string,
  kind: 'passkey_added' | 'passkey_removed',
  passkeyName: string,
): Promise<void> {
  return addSignInEntries(tx, { id: uuidv7(), userId, kind, isByTeammate: true, data: { passkeyName } });
}
