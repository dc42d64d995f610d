import { checkPassword } from '#server/administration/accounts/check-password.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { inTransaction } from '#server/core/database/db.ts';
import { invalid } from '#server/core/errors.ts';
import { resetLimit } from '#server/core/limits/limits.ts';
import { accountKey } from '#server/teammates/account-key.ts';
import { auth } from '#server/teammates/auth.ts';
import { passwordProblem } from '#server/teammates/password-problem.ts';

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
