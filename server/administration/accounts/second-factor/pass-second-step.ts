import { v7 as uuidv7 } from 'uuid';
import { type CodeKind, consumeCode } from '#server/administration/accounts/second-factor/check-code.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { Refusal, refusalIn } from '#server/core/errors.ts';
import { newSecret } from '#server/core/secrets.ts';
import { addSignInEntries } from '#server/teammates/audit-log.ts';
import { describeOrigin } from '#server/teammates/record-sign-in.ts';
import { findPendingSignIn, sessionCookieHeader } from '#server/teammates/signed-in.ts';
import { trustBrowserHeader } from '#server/teammates/trusted-browser.ts';

const NOT_PENDING = 'Sign in again: this sign-in has ended, or the second step is done.';

const METHODS: Record<CodeKind, string> = { app: 'a code of their app', recovery: 'a recovery code' };

/**
 * Finishes a sign-in with a code of the second factor. The session gets a new token, so that a cookie that was copied before this step
 * stays worthless (OWASP ASVS 5 7.2.4).
 * @param input.trust does not ask this browser again for 30 days
 * @throws Refusal when no sign-in waits for a code, or the code is refused
 */
export async function passSecondStep(
  headers: Headers,
  { code, trust }: { code: string; trust: boolean },
): Promise<{ setCookies: string[] }> {
  const pending = await findPendingSignIn(headers);
  if (!pending) throw new Refusal('forbidden', NOT_PENDING);
  const { sessionId, userId } = pending;
  const origin = describeOrigin(headers);
  const record = (kind: 'second_factor_used' | 'second_factor_failed', method: string) =>
    inTransaction((tx) =>
      addSignInEntries(tx, {
        id: uuidv7(),
        userId,
        kind,
        isByTeammate: kind === 'second_factor_used',
        data: { method, ...origin },
      }),
    );
  const kind = await consumeCode(userId, code).catch(async (error: unknown) => {
    // Attempts over the limit are not recorded, so that they cannot fill the log.
    if (refusalIn(error)?.refusal === 'invalid') await record('second_factor_failed', 'code');
    throw error;
  });
  const token = newSecret();
  const { count } = await db().session.updateMany({
    where: { id: sessionId, token: pending.token, secondFactorAt: null },
    data: { secondFactorAt: new Date(), token },
  });
  if (count === 0) throw new Refusal('forbidden', NOT_PENDING);
  await record('second_factor_used', METHODS[kind]);
  return {
    setCookies: [
      await sessionCookieHeader(token),
      ...(trust ? await trustBrowserHeader(headers, userId) : []),
    ],
  };
}
