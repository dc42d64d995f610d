import {
  generateAuthenticationOptions,
  type PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { v7 as uuidv7 } from 'uuid';
import {
  CHALLENGE_MS,
  type ChallengeOwner,
  relyingParty,
  storeChallenge,
} from '#server/administration/accounts/passkeys/challenges.ts';
import type { Assertion } from '#server/administration/accounts/passkeys/passkey-inputs.ts';
import { useAssertion, verifyAssertion } from '#server/administration/accounts/passkeys/verify-assertion.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { notFound } from '#server/core/errors.ts';
import { requestAddress } from '#server/core/limits/address-key.ts';
import { consumeLimit } from '#server/core/limits/limits.ts';
import { digest, newSecret } from '#server/core/secrets.ts';
import { addFailedSignIn } from '#server/teammates/add-failed-sign-in.ts';
import { SESSION_SECONDS } from '#server/teammates/auth.ts';
import { defaultWorkspace } from '#server/teammates/default-workspace.ts';
import { findKnownBrowser, rememberBrowserHeader } from '#server/teammates/known-browser.ts';
import { cookieHeader, type OwnCookie, readCookie } from '#server/teammates/own-cookie.ts';
import { describeOrigin, recordSignIn } from '#server/teammates/record-sign-in.ts';
import { sessionCookieHeader } from '#server/teammates/signed-in.ts';

/** Names the browser that may answer the challenge. */
const COOKIE: OwnCookie = {
  name: 'passkey',
  lifeSeconds: CHALLENGE_MS / 1_000,
  path: '/',
  sameSite: 'strict',
};

/**
 * Starts a sign-in with a passkey. The browser offers the passkeys that it has for this service, so that no address is needed, and
 * none is revealed.
 * @returns the options for the browser, and a cookie that binds the challenge to it
 */
export async function startPasskeySignIn(
  headers: Headers,
): Promise<{ options: PublicKeyCredentialRequestOptionsJSON; setCookies: string[] }> {
  const options = await generateAuthenticationOptions({
    rpID: relyingParty().id,
    timeout: CHALLENGE_MS,
    userVerification: 'required',
  });
  const browser = newSecret();
  await storeChallenge(challengeOf(browser), options.challenge, requestAddress(headers));
  return { options, setCookies: [cookieHeader(COOKIE, browser)] };
}

/**
 * Signs a teammate in with a passkey that verified its user: this is both factors, so the session needs no second step.
 * @throws Refusal when the passkey is refused, or did not verify its user
 */
export async function signInWithPasskey(
  headers: Headers,
  response: Assertion,
): Promise<{ setCookies: string[] }> {
  const assertion = await verifyAssertion(response, {
    challenge: challengeOf(readCookie(headers, COOKIE)),
    requireUserVerification: true,
    onRefused: (userId) => recordFailure(headers, userId),
  });
  const { userId } = assertion;
  const token = newSecret();
  const { session, email } = await inTransaction(async (tx) => {
    // Lock order: the account before its passkeys, as in deleting it.
    const [user] = await tx.$queryRaw<{ email: string }[]>`
      select email from users where id = ${userId}::uuid and deleted_at is null for key share`;
    if (!user) throw notFound('The account');
    await useAssertion(tx, assertion);
    const session = await tx.session.create({
      data: {
        userId,
        token,
        workspaceId: await defaultWorkspace(tx, userId),
        ipAddress: requestAddress(headers),
        userAgent: headers.get('user-agent'),
        secondFactorAt: new Date(),
        expiresAt: new Date(Date.now() + SESSION_SECONDS * 1_000),
      },
      select: { id: true, userId: true },
    });
    return { session, email: user.email };
  });
  const isKnownBrowser = (await findKnownBrowser(headers, email)) !== undefined;
  await recordSignIn({ session, headers, isKnownBrowser, isPasskey: true });
  return {
    setCookies: [
      await sessionCookieHeader(token),
      ...(await rememberBrowserHeader(headers, userId)),
      cookieHeader({ ...COOKIE, lifeSeconds: 0 }, ''),
    ],
  };
}

/** Adds a refused passkey to the audit log, unless the account has many failed sign-ins. */
async function recordFailure(headers: Headers, userId: string): Promise<void> {
  const { email } = await db().user.findUniqueOrThrow({ where: { id: userId }, select: { email: true } });
  if (!(await consumeLimit('sign_in_audit', email.slice(0, 200))).allowed) return;
  await addFailedSignIn({ userId, attemptId: uuidv7(), method: 'passkey', ...describeOrigin(headers) });
}

function challengeOf(browser: string): ChallengeOwner {
  return { purpose: 'sign-in', owner: Buffer.from(digest(browser)).toString('base64url') };
}
