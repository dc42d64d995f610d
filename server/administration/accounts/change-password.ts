import type { Teammate } from '#server/contract/record-schemas.ts';
import { db, inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { invalid, Refusal } from '#server/core/errors.ts';
import { consumeLimit, resetLimit } from '#server/core/limits/limits.ts';
import { auth } from '#server/teammates/auth.ts';
import { accountKey } from '#server/teammates/limit-sign-in.ts';
import { passwordProblem } from '#server/teammates/passwords.ts';

const CHANGED_MEANWHILE = 'The password was just changed elsewhere. Sign in again with the new one.';

/**
 * Changes a teammate's password. Ends all other sessions and invalidates the links that were sent before.
 * @param sessionId the session that makes the change, which stays signed in
 * @throws Refusal when the current password is wrong, or the new one is refused
 */
export async function changePassword(change: {
  user: Teammate;
  sessionId: string;
  password: string;
  newPassword: string;
}): Promise<void> {
  const { user, sessionId, password, newPassword } = change;
  const problem = passwordProblem(newPassword, user.email);
  if (problem) throw invalid({ newPassword: [problem] });
  const before = await checkPassword({ user, sessionId, password });
  const after = await (await auth().$context).password.hash(newPassword);
  await inTransaction(async (tx) => {
    const { count } = await tx.account.updateMany({
      where: { userId: user.id, providerId: 'credential', password: before },
      data: { password: after },
    });
    if (count === 0) throw invalid({ password: [CHANGED_MEANWHILE] });
    await tx.session.deleteMany({ where: { userId: user.id, id: { not: sessionId } } });
    await invalidateLinks(tx, user.id);
  });
  await resetLimit('reset_mail', accountKey(user.email));
}

/**
 * Invalidates emailed links that set a new password or confirm another address. Somebody who knew the old password may have requested
 * them.
 */
export async function invalidateLinks(tx: Tx, userId: string): Promise<void> {
  await tx.verification.deleteMany({ where: { value: userId } });
  await tx.addressChange.updateMany({
    where: { userId, confirmedAt: null, endedAt: null },
    data: { endedAt: new Date() },
  });
}

const WRONG = 'The password is incorrect. Check it and try again.';
const NO_PASSWORD = 'You have no password yet. Sign out and set one with “Forgot your password?”.';
const TOO_MANY = 'Too many attempts with a wrong password. Wait a few minutes and try again.';

/**
 * Checks the password of a signed-in teammate. Failures count per session, separately from sign-in failures,
 * so an outsider cannot use up the attempts. An attempt is counted before the password is compared, so that
 * simultaneous attempts count each other.
 * @returns the stored hash; the caller replaces it only if it is unchanged
 * @throws Refusal when the password is wrong, the account has none, or after ten failures
 */
export async function checkPassword(input: {
  user: Teammate;
  sessionId: string;
  password: string;
}): Promise<string> {
  const { user, sessionId, password } = input;
  if (!(await consumeLimit('password_check', sessionId)).allowed) throw new Refusal('forbidden', TOO_MANY);
  const credential = await db().account.findFirst({
    where: { userId: user.id, providerId: 'credential' },
    select: { password: true },
  });
  const hash = credential?.password;
  const { verify } = (await auth().$context).password;
  if (!hash) throw invalid({ password: [NO_PASSWORD] });
  if (!(await verify({ hash, password }))) throw invalid({ password: [WRONG] });
  await resetLimit('password_check', sessionId);
  return hash;
}
