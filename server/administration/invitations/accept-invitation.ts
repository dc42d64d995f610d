import { findByToken } from '#server/administration/invitations/find-by-token.ts';
import { takeInvitation } from '#server/administration/invitations/take-invitation.ts';
import { parseName } from '#server/contract/parse-name.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { db, inTransaction, type Tx } from '#server/core/database/db.ts';
import { isUniqueViolation } from '#server/core/database/is-unique-violation.ts';
import { invalid, Refusal } from '#server/core/errors.ts';
import { log } from '#server/core/log.ts';
import { auth } from '#server/teammates/auth.ts';
import { passwordProblem } from '#server/teammates/password-problem.ts';

const HAS_ACCOUNT = 'This address already has an account. Sign in with it, then accept the invitation.';

/**
 * Accepts an invitation by making the account of the invited address, with name and password: the only way in which an
 * account is made. That its mail arrived there proves the address.
 * @returns the new teammate
 * @throws Refusal when the invitation cannot be accepted, there is an account already, or a value is not possible
 */
export async function acceptAsNewcomer(given: {
  token: string;
  name: string;
  password: string;
}): Promise<Teammate> {
  // Hashing is slow on purpose; it is done for no one who has no invitation.
  await findByToken(db(), given.token);
  const name = parseName(given.name, { field: 'name', label: 'name' });
  const problem = passwordProblem(given.password);
  if (problem) throw invalid({ password: [problem] });
  const password = await (await auth().$context).password.hash(given.password);
  try {
    const { invitation, user } = await inTransaction((tx) =>
      takeInvitation(tx, given.token, ({ email }) => makeAccount(tx, { name, email, password })),
    );
    log().info({ workspaceId: invitation.workspaceId, userId: user.id }, 'account.made');
    return user;
  } catch (error) {
    if (isUniqueViolation(error)) throw new Refusal('forbidden', HAS_ACCOUNT);
    throw error;
  }
}

/** As Better Auth keeps accounts with a password. */
async function makeAccount(
  tx: Tx,
  { name, email, password }: { name: string; email: string; password: string },
): Promise<Teammate> {
  const user = await tx.user.create({
    data: { name, email, emailVerified: true },
    select: { id: true, name: true, email: true },
  });
  await tx.account.create({
    data: { userId: user.id, accountId: user.id, providerId: 'credential', password },
    select: { id: true },
  });
  return user;
}
