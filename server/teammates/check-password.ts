import { db } from '#server/db.ts';
import { invalid, Refusal } from '#server/errors.ts';
import { resetLimit, takeFrom } from '#server/limits/limits.ts';
import type { Teammate } from '#server/teammates/actor.ts';
import { accountKey, auth } from '#server/teammates/auth.ts';

const WRONG = 'The password is not right. Check it and try again.';
const TOO_MANY = 'Too many attempts with a wrong password. Wait a few minutes and try again.';

/**
 * Makes sure that it is the teammate who sits before a signed-in browser. Failures count with those of signing in, and
 * before the password is looked at, so that attempts at the same time see each other.
 * @returns the stored form of the password, to be replaced by a new one only while it is still the same
 * @throws Refusal when it is not their password, or after ten failures
 */
export async function checkPassword({ id, email }: Teammate, password: string): Promise<string> {
  const account = accountKey(email);
  if (!(await takeFrom('sign_in_failure', account)).allowed) throw new Refusal('forbidden', TOO_MANY);
  const credential = await db().account.findFirst({
    where: { userId: id, providerId: 'credential' },
    select: { password: true },
  });
  const hash = credential?.password;
  const { verify } = (await auth().$context).password;
  if (!hash || !(await verify({ hash, password }))) throw invalid({ password: [WRONG] });
  await resetLimit('sign_in_failure', account);
  return hash;
}
