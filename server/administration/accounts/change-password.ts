import type { Teammate } from '#server/contract/record-schemas.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { invalid, Refusal } from '#server/core/errors.ts';
import { resetLimit, takeFrom } from '#server/core/limits/limits.ts';
import { auth } from '#server/teammates/auth.ts';
import { accountKey } from '#server/teammates/limit-sign-in.ts';
import { passwordProblem } from '#server/teammates/passwords.ts';

const CHANGED_MEANWHILE = 'The password was just changed elsewhere. Sign in again with the new one.';

/**
 * Changes a teammate's password. All their other sessions end, and links to a new password that were mailed before.
 * @param sessionId the session in which they do it, which goes on
 * @throws Refusal when the current password is not right, or the new one too short or too long
 */
export async function changePassword(given: {
  user: Teammate;
  sessionId: string;
  password: string;
  newPassword: string;
}): Promise<void> {
  const { user, sessionId, password, newPassword } = given;
  const problem = passwordProblem(newPassword);
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
    await tx.verification.deleteMany({ where: { value: user.id } });
  });
  await resetLimit('reset_mail', accountKey(user.email));
}

const WRONG = 'The password is incorrect. Check it and try again.';
const TOO_MANY = 'Too many attempts with a wrong password. Wait a few minutes and try again.';

/**
 * Makes sure that it is the teammate who sits before a signed-in browser. Failures count per session, apart from those
 * of signing in: no one outside can use them up. They count before the password is looked at, so that attempts at the
 * same time see each other.
 * @returns the stored form of the password, to be replaced by a new one only while it is still the same
 * @throws Refusal when it is not their password, or after ten failures
 */
export async function checkPassword(given: {
  user: Teammate;
  sessionId: string;
  password: string;
}): Promise<string> {
  const { user, sessionId, password } = given;
  if (!(await takeFrom('password_check', sessionId)).allowed) throw new Refusal('forbidden', TOO_MANY);
  const credential = await db().account.findFirst({
    where: { userId: user.id, providerId: 'credential' },
    select: { password: true },
  });
  const hash = credential?.password;
  const { verify } = (await auth().$context).password;
  if (!hash || !(await verify({ hash, password }))) throw invalid({ password: [WRONG] });
  await resetLimit('password_check', sessionId);
  return hash;
}
