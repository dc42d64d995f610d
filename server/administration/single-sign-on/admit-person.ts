import { addMember } from '#server/administration/members/add-member.ts';
import type { Identity } from '#server/administration/single-sign-on/provider.ts';
import { SignOnFault } from '#server/administration/single-sign-on/sign-on-fault.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { cleanName } from '#server/core/text.ts';
import type { Role } from '#server/generated/prisma/enums.ts';
import { lockWorkspace } from '#server/teammates/require-role.ts';

/** `signedInId`: who is signed in in the browser. Nobody else is admitted there. */
type Admission = { workspaceId: string; version: string; identity: Identity; signedInId: string | null };

const SELECT = { id: true, name: true, email: true, deletedAt: true } as const;

/**
 * Returns the teammate whom the provider of a workspace signed in. A person there is known by issuer and subject (OpenID Connect Core
 * §5.7), and is linked to the account with their address at the first sign-in. Only addresses in the verified domains of the workspace
 * count, both of the person and of the account. An invitation, or the rule of the workspace for people without an account, makes them
 * a member. Locks the workspace, so that domains, members and provider stay as they are.
 * @throws SignOnFault
 */
export function admitPerson(admission: Admission): Promise<Teammate> {
  return inTransaction((tx) => admit(tx, admission));
}

async function admit(tx: Tx, admission: Admission): Promise<Teammate> {
  const { workspaceId, version, identity, signedInId } = admission;
  await lockWorkspace(tx, workspaceId);
  const provider = await tx.singleSignOn.findFirst({
    where: { workspaceId, version, workspace: { deletedAt: null } },
    select: { joinRole: true },
  });
  if (!provider) throw new SignOnFault('off');
  const isInside = await domainsOf(tx, workspaceId);
  const { issuer, subject, email, googleDomain } = identity;
  if (!isInside(email) || (googleDomain !== null && !isInside(`@${googleDomain}`)))
    throw new SignOnFault('outside');
  const known = await tx.signOnIdentity.findUnique({
    where: { workspaceId_issuer_subject: { workspaceId, issuer, subject } },
    select: { user: { select: SELECT } },
  });
  const user = known?.user ?? (await tx.user.findUnique({ where: { email }, select: SELECT }));
  if (user?.deletedAt) throw new SignOnFault('uninvited');
  if (user && !isInside(user.email)) throw new SignOnFault('outside');
  // Else a link of an attacker could replace the session by one of theirs.
  if (signedInId !== null && signedInId !== user?.id) throw new SignOnFault('other_session');
  const teammate = await join(tx, { workspaceId, user, identity, joinRole: provider.joinRole });
  if (!known) await link(tx, { workspaceId, issuer, subject, userId: teammate.id });
  return teammate;
}

async function domainsOf(tx: Tx, workspaceId: string): Promise<(email: string) => boolean> {
  const rows = await tx.signOnDomain.findMany({
    where: { workspaceId, verifiedAt: { not: null } },
    select: { domain: true },
  });
  const domains = new Set(rows.map(({ domain }) => domain));
  return (email) => domains.has(email.slice(email.lastIndexOf('@') + 1));
}

/** An address that the provider gave to someone else does not give them the account of the person before. */
async function link(
  tx: Tx,
  identity: { workspaceId: string; issuer: string; subject: string; userId: string },
): Promise<void> {
  const { count } = await tx.signOnIdentity.createMany({ data: identity, skipDuplicates: true });
  if (count === 0) throw new SignOnFault('other_person');
}

type Joining = {
  workspaceId: string;
  user: Teammate | null;
  identity: Identity;
  joinRole: Role | null;
};

/** Returns the member, who joins first if they may. Without an invitation, only people without an account do: not removed teammates. */
async function join(tx: Tx, { workspaceId, user, identity, joinRole }: Joining): Promise<Teammate> {
  if (user && (await tx.member.count({ where: { workspaceId, userId: user.id } })) > 0) return user;
  const invited = await acceptOpenInvitation(tx, workspaceId, user?.email ?? identity.email);
  const role = invited?.role ?? (user ? null : joinRole);
  if (!role) throw new SignOnFault('uninvited');
  const teammate = user ?? (await makeAccount(tx, identity));
  const locked = await tx.$queryRaw<unknown[]>`
    select from users where id = ${teammate.id}::uuid and deleted_at is null for key share`;
  if (locked.length === 0) throw new SignOnFault('uninvited');
  await addMember(tx, { workspaceId, teammate, role, onlyAssigned: invited?.onlyAssigned ?? false });
  return teammate;
}

type Invited = { role: Role; onlyAssigned: boolean };

/** Accepts the open invitation of an address, which the provider confirms as the link in the email does. */
async function acceptOpenInvitation(
  tx: Tx,
  workspaceId: string,
  email: string,
): Promise<Invited | undefined> {
  const [used] = await tx.$queryRaw<Invited[]>`
    update invitations set accepted_at = now() where id = (
      select id from invitations where workspace_id = ${workspaceId}::uuid and email = ${email}
        and accepted_at is null and withdrawn_at is null and expires_at > now()
      order by created_at desc limit 1)
    returning role::text as role, only_assigned as "onlyAssigned"`;
  return used;
}

const NAME_MAX_LENGTH = 80;

/** Creates an account without a password. A password can be set by email (`Forgot your password?`). */
async function makeAccount(tx: Tx, { name, email }: Identity): Promise<Teammate> {
  const [local = email] = email.split('@');
  const shown = cleanName(name).slice(0, NAME_MAX_LENGTH) || local;
  return tx.user.create({
    data: { name: shown, email, emailVerified: true },
    select: { id: true, name: true, email: true },
  });
}
