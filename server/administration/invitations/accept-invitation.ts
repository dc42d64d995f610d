import { addMember } from '#server/administration/members/add-member.ts';
import { parseName } from '#server/contract/parse-name.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { isUniqueViolation } from '#server/core/database/errors.ts';
import { type Db, db, inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { invalid, Refusal } from '#server/core/errors.ts';
import { publishSession } from '#server/core/live/publish.ts';
import { log } from '#server/core/log.ts';
import { digest } from '#server/core/secrets.ts';
import type { Role } from '#server/generated/prisma/enums.ts';
import { auth } from '#server/teammates/auth.ts';
import type { ClosedBy } from '#server/teammates/closed-workspaces.ts';
import { passwordProblem } from '#server/teammates/passwords.ts';
import { lockWorkspace } from '#server/teammates/require-role.ts';
import { openUnlessClosed, type SignedIn } from '#server/teammates/signed-in.ts';

const HAS_ACCOUNT = 'This address already has an account. Sign in with it, then accept the invitation.';

/**
 * Accepts an invitation and creates an account for the invited address. Accounts are created in no other way.
 * The link proves that the address belongs to the person, as it was only sent there.
 * @returns the new teammate
 * @throws Refusal when the invitation cannot be accepted, the address has an account, or a value is invalid
 */
export async function acceptAsNewcomer(input: {
  token: string;
  name: string;
  password: string;
}): Promise<Teammate> {
  // Hashing is slow on purpose, so the invitation is checked first.
  const { email } = await findByToken(db(), input.token);
  const name = parseName(input.name, { field: 'name', label: 'name' });
  const problem = passwordProblem(input.password, email);
  if (problem) throw invalid({ password: [problem] });
  const password = await (await auth().$context).password.hash(input.password);
  try {
    const { invitation, user } = await inTransaction((tx) =>
      redeemInvitation(tx, input.token, ({ email }) => makeAccount(tx, { name, email, password })),
    );
    log().info({ workspaceId: invitation.workspaceId, userId: user.id }, 'account.made');
    return user;
  } catch (error) {
    if (isUniqueViolation(error)) throw new Refusal('forbidden', HAS_ACCOUNT);
    throw error;
  }
}

/** Writes the rows that Better Auth expects for an account with a password. */
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

/**
 * Accepts an invitation for a signed-in teammate and opens the workspace in their session, unless it is closed there until they sign in
 * to it or have a second factor. Only the invited address can accept, so a forwarded link admits no one else.
 * @throws Refusal when the invitation cannot be accepted, is for another address, or the teammate is already
 * in the workspace
 */
export async function acceptAsTeammate(
  { sessionId, user }: Pick<SignedIn, 'sessionId' | 'user'>,
  token: string,
): Promise<{ workspaceId: string; closedBy: ClosedBy | null }> {
  const accepted = await inTransaction(async (tx) => {
    const { invitation } = await redeemInvitation(tx, token, async ({ email }) => {
      if (email !== user.email) throw new Refusal('forbidden', otherAddress(email, user.email));
      return user;
    });
    const { workspaceId } = invitation;
    const closedBy = await openUnlessClosed(tx, { sessionId, workspaceId });
    await tx.user.updateMany({ where: { id: user.id }, data: { lastWorkspaceId: workspaceId } });
    return { workspaceId, closedBy };
  });
  publishSession(sessionId);
  return accepted;
}

/** Returns the message for a teammate who is signed in with another address. */
export function otherAddress(invited: string, own: string): string {
  return `This invitation is for ${invited}, and you are signed in as ${own}. Sign out to continue, or open the link in a private window.`;
}

export type OpenInvitation = {
  id: string;
  workspaceId: string;
  workspaceName: string;
  email: string;
  role: Role;
  /** The agent or viewer will see only conversations that are assigned to them or their teams. */
  onlyAssigned: boolean;
  name: string | null;
  inviterName: string | null;
  expiresAt: Date;
};

type Row = OpenInvitation & { isAccepted: boolean; isWithdrawn: boolean; isOver: boolean };

const ASK = 'Ask the person who invited you for a new one.';
const UNKNOWN = `This link no longer works. A newer invitation may have replaced it. ${ASK}`;

/**
 * Finds the invitation of a link's token. Expiry compares with the database's clock (docs/rulings.md 4.11).
 * @throws Refusal that says why the invitation cannot be accepted
 */
export async function findByToken(db: Db, token: string): Promise<OpenInvitation> {
  const [row] = await db.$queryRaw<Row[]>`
    select i.id, i.workspace_id as "workspaceId", w.name as "workspaceName", i.email, i.role::text as role, i.only_assigned as "onlyAssigned", i.name,
      u.name as "inviterName", i.expires_at as "expiresAt", i.accepted_at is not null as "isAccepted",
      i.withdrawn_at is not null or w.deleted_at is not null as "isWithdrawn", i.expires_at <= now() as "isOver"
    from invitations i
    join workspaces w on w.id = i.workspace_id
    left join users u on u.id = i.invited_by_id and u.deleted_at is null
    where i.token_hash = ${digest(token)}`;
  if (!row) throw new Refusal('not_found', UNKNOWN);
  const { isAccepted, isWithdrawn, isOver, ...invitation } = row;
  const problem = problemOf({ isAccepted, isWithdrawn, isOver });
  if (problem) throw new Refusal('not_found', problem);
  return invitation;
}

function problemOf(row: Pick<Row, 'isAccepted' | 'isWithdrawn' | 'isOver'>): string | undefined {
  if (row.isAccepted) return 'This invitation was already accepted. Sign in with the address it was sent to.';
  if (row.isWithdrawn) return `This invitation was withdrawn. ${ASK}`;
  if (row.isOver) return `This invitation has expired: it was valid for seven days. ${ASK}`;
  return undefined;
}

/**
 * Uses up an invitation and adds a member with its role and limit. Invitations and memberships change only under the
 * workspace lock, so the values read under the lock stay valid. One conditional update uses up the
 * invitation.
 * @param userOf returns the account to add; called after this transaction has used up the invitation
 * @throws Refusal when the invitation cannot be accepted, or the account is already in the workspace
 */
async function redeemInvitation(
  tx: Tx,
  token: string,
  userOf: (invitation: OpenInvitation) => Promise<Teammate>,
): Promise<{ invitation: OpenInvitation; user: Teammate }> {
  const { id, workspaceId } = await findByToken(tx, token);
  await lockWorkspace(tx, workspaceId);
  const invitation = await findByToken(tx, token);
  const taken = await tx.$executeRaw`
    update invitations set accepted_at = now()
    where id = ${id}::uuid and accepted_at is null and withdrawn_at is null and expires_at > now()`;
  if (taken === 0) throw new Refusal('not_found', 'This invitation can no longer be accepted.');
  const user = await userOf(invitation);
  await lockAccount(tx, user.id);
  const { role, workspaceName, onlyAssigned } = invitation;
  if (!(await addMember(tx, { workspaceId, teammate: user, role, onlyAssigned })))
    throw invalid({ invitation: [`You are already in ${workspaceName}.`] });
  return { invitation, user };
}

/**
 * Locks the user after the workspace, as account deletion does. Either the deletion finds the membership, or
 * this function finds no account.
 */
async function lockAccount(tx: Tx, userId: string): Promise<void> {
  const locked = await tx.$queryRaw<unknown[]>`
    select from users where id = ${userId}::uuid and deleted_at is null for key share`;
  if (locked.length === 0) throw new Refusal('not_found', 'Your account was deleted.');
}
