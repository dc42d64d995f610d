import { z } from 'zod';
import {
  acceptAsNewcomer,
  acceptAsTeammate,
  findByToken,
  type OpenInvitation,
  otherAddress,
} from '#server/administration/invitations/accept-invitation.ts';
import { INVITATION_DAYS, inviteTeammate } from '#server/administration/invitations/invite-teammate.ts';
import { ROLE_WORDS } from '#server/administration/invitations/mail-invitation.ts';
import {
  resendInvitation,
  withdrawInvitation,
} from '#server/administration/invitations/pending-invitations.ts';
import { rolesToInvite } from '#server/administration/members/role-rules.ts';
import { findSignOns } from '#server/administration/single-sign-on/find-sign-ons.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { addressInput, keyInput, lineInput, textInput } from '#server/contract/text-input.ts';
import { type Db, db } from '#server/core/database/prisma.ts';
import { Refusal, refusalIn } from '#server/core/errors.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { Role } from '#server/generated/prisma/enums.ts';
import { adminProcedure, publicScreenProcedure, screenRouter } from '#server/screens/procedures.ts';
import type { InvitationRow, InvitationView } from '#server/screens/settings/people-views.ts';
import { signIn } from '#server/teammates/sign-in.ts';

export type * from '#server/screens/settings/views.ts';

const tokenInput = z.object({ token: keyInput });
const which = z.object({ invitationId: keyInput });

/** Invitations for admins, and the public page of an invitation link. */
export const invitationsScreens = screenRouter({
  list: adminProcedure.query(
    ({ ctx: { workspace } }): Promise<InvitationRow[]> =>
      listInvitations(db(), { workspaceId: workspace.id, role: workspace.role }),
  ),
  invite: adminProcedure
    .input(z.object({ email: addressInput, role: z.enum(Role), onlyAssigned: z.boolean().optional() }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      inviteTeammate({ workspaceId: workspace.id, ...input, by: user }),
    ),
  resend: adminProcedure
    .input(which)
    .mutation(({ ctx: { workspace, user }, input }) =>
      resendInvitation({ workspaceId: workspace.id, ...input, by: user }),
    ),
  withdraw: adminProcedure
    .input(which)
    .mutation(({ ctx: { workspace, user }, input }) =>
      withdrawInvitation({ workspaceId: workspace.id, ...input, by: user }),
    ),
  get: publicScreenProcedure
    .input(tokenInput.extend({ withPassword: z.boolean().optional() }))
    .query(
      ({ ctx: { signedIn }, input }): Promise<InvitationView> =>
        getInvitation(db(), { ...input, visitor: signedIn?.user ?? null }),
    ),
  join: publicScreenProcedure
    .input(tokenInput.extend({ name: lineInput, password: textInput(1_000) }))
    .mutation(async ({ ctx, input }) => {
      const { email } = await acceptAsNewcomer(input);
      return signIn(ctx.headers, { email, password: input.password });
    }),
  accept: publicScreenProcedure.input(tokenInput).mutation(({ ctx: { signedIn }, input }) => {
    if (!signedIn) throw new Refusal('forbidden', 'Sign in to accept the invitation.');
    return acceptAsTeammate(signedIn, input.token);
  }),
});

/** The email of an invitation is sent within seconds, unless a mail server does not accept it. */
const DELAYED = Prisma.sql`interval '10 minutes'`;

/** Returns the open and expired invitations of a workspace, newest first. `role` decides which may be changed. */
export async function listInvitations(
  db: Db,
  { workspaceId, role }: { workspaceId: string; role: Role },
): Promise<InvitationRow[]> {
  const rows = await db.$queryRaw<Omit<InvitationRow, 'mayChange'>[]>`
    select i.id, i.email, i.role::text as role, i.only_assigned as "onlyAssigned", u.name as "invitedBy", i.expires_at as "expiresAt",
      i.expires_at <= now() as "isOver", i.mailed_at as "mailedAt",
      i.mailed_at is null and i.expires_at < now() + make_interval(days => ${INVITATION_DAYS}::int) - ${DELAYED} as "isDelayed"
    from invitations i
    left join users u on u.id = i.invited_by_id and u.deleted_at is null
    where i.workspace_id = ${workspaceId}::uuid and i.accepted_at is null and i.withdrawn_at is null
    order by i.created_at desc, i.id desc`;
  return rows.map((row) => ({ ...row, mayChange: rolesToInvite(role).includes(row.role) }));
}

/**
 * Returns the page of an invitation link, for a visitor who is signed in or not.
 * @param link.withPassword the visitor chose a password instead of single sign-on
 */
async function getInvitation(
  db: Db,
  {
    token,
    withPassword,
    visitor,
  }: { token: string; withPassword?: boolean | undefined; visitor: Teammate | null },
): Promise<InvitationView> {
  try {
    const invitation = await findByToken(db, token);
    const { workspaceName, role, email, name, inviterName, expiresAt } = invitation;
    const signOnPath = visitor ? null : await findSignOnPath(invitation);
    const takesPassword = signOnPath === null || (await opensWithPassword(db, invitation));
    const isSignOn = signOnPath !== null && !(withPassword && takesPassword);
    const next = isSignOn ? 'sign_on' : await nextOf(db, invitation, visitor);
    return {
      kind: 'open',
      workspaceName,
      role,
      asRole: ROLE_WORDS[role],
      email,
      name,
      invitedBy: inviterName,
      expiresAt,
      next,
      signOnPath,
      takesPassword,
      problem: next === 'sign_out' && visitor ? otherAddress(email, visitor.email) : null,
    };
  } catch (error) {
    const refusal = refusalIn(error);
    if (!refusal) throw error;
    return { kind: 'refused', message: refusal.message };
  }
}

/** Returns where to sign in through the provider of the workspace, if the invited address is in one of its domains. */
async function findSignOnPath({ email, workspaceId }: OpenInvitation): Promise<string | null> {
  const [found] = await findSignOns(email, workspaceId);
  return found?.path ?? null;
}

/** Returns whether a password opens the workspace for someone in its domains, as it does for owners (`CLOSED_BY`). */
async function opensWithPassword(db: Db, { role, workspaceId }: OpenInvitation): Promise<boolean> {
  if (role === 'owner') return true;
  return (await db.singleSignOn.count({ where: { workspaceId, requiredAt: { not: null } } })) === 0;
}

async function nextOf(db: Db, { email }: OpenInvitation, visitor: Teammate | null) {
  if (visitor) return visitor.email === email ? 'accept' : 'sign_out';
  return (await db.user.count({ where: { email } })) > 0 ? 'sign_in' : 'join';
}
