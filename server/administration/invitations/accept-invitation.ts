import { parseName } from '#server/contract/parse-name.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { isUniqueViolation } from '#server/core/database/errors.ts';
import { type Db, db, inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { invalid, Refusal } from '#server/core/errors.ts';
import { publishSession } from '#server/core/live/publish.ts';
import { log } from '#server/core/log.ts';
import { digest } from '#server/core/secrets.ts';
import type { Role } from '#server/generated/prisma/enums.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';
import { auth } from '#server/teammates/auth.ts';
import { passwordProblem } from '#server/teammates/passwords.ts';
import { lockWorkspace } from '#server/teammates/require-role.ts';
import type { SignedIn } from '#server/teammates/signed-in.ts';

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

/**
 * Accepts an invitation as someone who has an account and is signed in; the workspace is then open in their session.
 * Only the invited address accepts: a link that was passed on lets no one else in.
 * @throws Refusal when the invitation cannot be accepted, is for another address, or they are in the workspace already
 */
export async function acceptAsTeammate(
  { sessionId, user }: Pick<SignedIn, 'sessionId' | 'user'>,
  token: string,
): Promise<{ workspaceId: string }> {
  const { workspaceId } = await inTransaction(async (tx) => {
    const { invitation } = await takeInvitation(tx, token, async ({ email }) => {
      if (email !== user.email) throw new Refusal('forbidden', otherAddress(email, user.email));
      return user;
    });
    const open = { workspaceId: invitation.workspaceId };
    await tx.session.updateMany({ where: { id: sessionId }, data: open });
    await tx.user.updateMany({
      where: { id: user.id },
      data: { lastWorkspaceId: invitation.workspaceId },
    });
    return invitation;
  });
  publishSession(sessionId);
  return { workspaceId };
}

/** Why someone who is signed in with another address cannot accept. */
export function otherAddress(invited: string, own: string): string {
  return `This invitation is for ${invited}, and you are signed in as ${own}. Sign out, and open the link again.`;
}

/** An invitation that can be accepted now. */
export type OpenInvitation = {
  id: string;
  workspaceId: string;
  workspaceName: string;
  email: string;
  role: Role;
  name: string | null;
  inviterName: string | null;
  expiresAt: Date;
};

type Row = OpenInvitation & { isAccepted: boolean; isWithdrawn: boolean; isOver: boolean };

const ASK = 'Ask the person who invited you for a new one.';
const UNKNOWN = `This link no longer works. A newer invitation may have replaced it. ${ASK}`;

/**
 * The invitation behind the token of a link. Time is the database's (expiry; decisions: OAuth, 11).
 * @throws Refusal that says why it cannot be accepted
 */
export async function findByToken(db: Db, token: string): Promise<OpenInvitation> {
  const [row] = await db.$queryRaw<Row[]>`
    select i.id, i.workspace_id as "workspaceId", w.name as "workspaceName", i.email, i.role::text as role, i.name,
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
 * Uses an invitation up and makes someone a member in its role. What makes or ends invitations and memberships holds
 * the workspace's lock, so what is found under it is true; the invitation itself is used up by one conditional update.
 * @param userOf who accepts, asked once the invitation is this transaction's
 * @throws Refusal when it cannot be accepted (any more), or they are in the workspace already
 */
async function takeInvitation(
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
  await holdAccount(tx, user.id);
  const { role, workspaceName } = invitation;
  const { count } = await tx.member.createMany({
    data: { workspaceId, userId: user.id, role },
    skipDuplicates: true,
  });
  if (count === 0) throw invalid({ invitation: [`You are already in ${workspaceName}.`] });
  await addAuditEntry(tx, { workspaceId, kind: 'teammate_joined', by: user, data: { role } });
  return { invitation, user };
}

/** Locked after the workspace, like when an account is deleted: that then finds the membership, or this no account. */
async function holdAccount(tx: Tx, userId: string): Promise<void> {
  const held = await tx.$queryRaw<unknown[]>`
    select from users where id = ${userId}::uuid and deleted_at is null for key share`;
  if (held.length === 0) throw new Refusal('not_found', 'Your account was deleted.');
}
