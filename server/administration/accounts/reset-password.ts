import { isAPIError } from 'better-auth/api';
import { invalid } from '#server/core/errors.ts';
import { auth } from '#server/teammates/auth.ts';
import { passwordProblem } from '#server/teammates/password-problem.ts';

const NOT_VALID = 'This link is no longer valid: it was used or is older than an hour. Request a new one.';
/** What tokens of Better Auth are made of. */
const TOKEN = /^[a-z0-9]{1,100}$/i;

/**
 * Sets a new password with the token of a link that was mailed. It works once, also when it is used twice at the same
 * time; all sessions of the account end.
 * @throws Refusal when the token is not valid any more, or the password too short or too long, which uses up no token
 * @returns whose password it is now
 */
export async function resetPassword(given: {
  token: string;
  newPassword: string;
}): Promise<{ userId: string }> {
  const problem = passwordProblem(given.newPassword);
  if (problem) throw invalid({ newPassword: [problem] });
  if (!TOKEN.test(given.token)) throw invalid({ token: [NOT_VALID] });
  const { internalAdapter } = await auth().$context;
  const found = await internalAdapter.findVerificationValue(`reset-password:${given.token}`);
  if (!found) throw invalid({ token: [NOT_VALID] });
  try {
    await auth().api.resetPassword({ body: given });
    return { userId: found.value };
  } catch (error) {
    if (isAPIError(error) && error.statusCode === 400) throw invalid({ token: [NOT_VALID] });
    throw error;
  }
}
