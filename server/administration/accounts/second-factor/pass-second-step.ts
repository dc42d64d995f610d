import { v7 as uuidv7 } from 'uuid';
import { type CodeKind, consumeCode } from '#server/administration/accounts/second-factor/check-code.ts';
import { db, inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { Refusal, refusalIn } from '#server/core/errors.ts';
import { newSecret } from '#server/core/secrets.ts';
import { addSignInEntries } from '#server/teammates/audit-log.ts';
import { describeOrigin } from '#server/teammates/record-sign-in.ts';
import { findPendingSignIn, type PendingSignIn, sessionCookieHeader } from '#server/teammates/signed-in.ts';
import { trustBrowserHeader } from '#server/teammates/trusted-browser.ts';

const NOT_PENDING = 'Sign in again: this sign-in has ended, or the second step is done.';

const METHODS: Record<CodeKind, string> = { app: 'a code of their app', recovery: 'a recovery code' };

/** Returns the address that waits for its second factor in this browser, and the factors that its account has, or null. */
export async function findSecondStep(
  headers: Headers,
): Promise<{ email: string; hasApp: boolean; hasPasskeys: boolean } | null> {
  const pending = await findPendingSignIn(headers);
  if (!pending) return null;
  const { userId, email } = pending;
  const [apps, passkeys] = await Promise.all([
    db().secondFactor.count({ where: { userId, enabledAt: { not: null } } }),
    db().passkey.count({ where: { userId } }),
  ]);
  return { email, hasApp: apps > 0, hasPasskeys: passkeys > 0 };
}

/**
 * Finishes a sign-in with a code of the second factor.
 * @param input.trust does not ask this browser again for 30 days, if the account has an authenticator app
 * @throws Refusal when no sign-in waits for a code, or the code is refused
 */
export async function passSecondStep(
  headers: Headers,
  { code, trust }: { code: string; trust: boolean },
): Promise<{ setCookies: string[] }> {
  const pending = await requirePendingSignIn(headers);
  const { userId } = pending;
  const kind = await consumeCode(userId, code).catch(async (error: unknown) => {
    // Attempts over the limit are not recorded, so that they cannot fill the log.
    if (refusalIn(error)?.refusal === 'invalid') await recordFailedStep(headers, userId, 'code');
    throw error;
  });
  const cookie = await inTransaction((tx) =>
    finishSecondStep(tx, { headers, pending, method: METHODS[kind] }),
  );
  return { setCookies: [cookie, ...(trust ? await trustBrowserHeader(headers, userId) : [])] };
}

/** @throws Refusal when no sign-in waits for its second factor */
export async function requirePendingSignIn(headers: Headers): Promise<PendingSignIn> {
  const pending = await findPendingSignIn(headers);
  if (!pending) throw new Refusal('forbidden', NOT_PENDING);
  return pending;
}

/**
 * Marks a sign-in as finished. The session gets a new token, so that a cookie that was copied before this step stays worthless
 * (OWASP ASVS 5 7.2.4).
 * @returns the `Set-Cookie` header
 * @throws Refusal when the sign-in has ended in the meantime
 */
export async function finishSecondStep(
  tx: Tx,
  { headers, pending, method }: { headers: Headers; pending: PendingSignIn; method: string },
): Promise<string> {
  const { sessionId, userId } = pending;
  const token = newSecret();
  const { count } = await tx.session.updateMany({
    where: { id: sessionId, token: pending.token, secondFactorAt: null },
    data: { secondFactorAt: new Date(), token },
  });
  if (count === 0) throw new Refusal('forbidden', NOT_PENDING);
  await addSignInEntries(tx, {
    id: uuidv7(),
    userId,
    kind: 'second_factor_used',
    isByTeammate: true,
    data: { method, ...describeOrigin(headers) },
  });
  return sessionCookieHeader(token);
}

/** Adds a refused second step to the audit log. */
export function recordFailedStep(
  headers: Headers,
  userId: string,
  method: 'code' | 'passkey',
): Promise<void> {
  return inTransaction((tx) =>
    addSignInEntries(tx, {
      id: uuidv7(),
      userId,
      kind: 'second_factor_failed',
      isByTeammate: false,
      data: { method, ...describeOrigin(headers) },
    }),
  );
}
