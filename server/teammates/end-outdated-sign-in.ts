import { db } from '#server/core/database/prisma.ts';
import { sql } from '#server/core/database/sql.ts';
import { findCredential } from '#server/teammates/known-browser.ts';

/** The account's stored hash before the typed password was checked, by request. */
const hashesBefore = new WeakMap<Request, string>();

/** Notes the stored hash of an account. Call this before Better Auth reads it. */
export async function noteHash(request: Request | undefined, email: string): Promise<void> {
  const credential = await findCredential(email);
  if (request && credential) hashesBefore.set(request, credential.password);
}

/**
 * Ends the session of a sign-in if the password was changed since the sign-in started. A change ends the sessions that
 * exist, and a sign-in can wait ten seconds for the check of its password. Waits for a change in progress.
 * @returns true when the session was ended
 */
export async function endOutdatedSignIn(
  request: Request | undefined,
  session: { id: string; userId: string },
): Promise<boolean> {
  const [account] = await sql().$queryRaw<{ password: string | null }[]>`
    select password from accounts
    where user_id = ${session.userId}::uuid and provider_id = 'credential' for share`;
  const before = request && hashesBefore.get(request);
  if (before !== undefined && account?.password === before) return false;
  await db().session.deleteMany({ where: { id: session.id } });
  return true;
}
