import { z } from 'zod';
import { acceptAsTeammate } from '#server/administration/invitations/accept-as-teammate.ts';
import { acceptAsNewcomer } from '#server/administration/invitations/accept-invitation.ts';
import { inviteTeammate } from '#server/administration/invitations/invite-teammate.ts';
import { resendInvitation } from '#server/administration/invitations/pending-invitations.ts';
import { withdrawInvitation } from '#server/administration/invitations/withdraw-invitation.ts';
import { db } from '#server/core/database/db.ts';
import { Refusal } from '#server/core/errors.ts';
import { Role } from '#server/generated/prisma/enums.ts';
import { adminProcedure } from '#server/screens/admin-procedure.ts';
import { publicScreenProcedure, screenRouter } from '#server/screens/procedures.ts';
import { getInvitation } from '#server/screens/settings/get-invitation.ts';
import type { InvitationRow, InvitationView } from '#server/screens/settings/invitations-views.ts';
import { listInvitations } from '#server/screens/settings/list-invitations.ts';
import { signIn } from '#server/teammates/sign-in.ts';

export type * from '#server/screens/settings/invitations-views.ts';

const tokenInput = z.object({ token: z.string() });
const which = z.object({ invitationId: z.string() });

/** Inviting, and the page of an invitation's link, which anyone may open. */
export const invitationsScreens = screenRouter({
  list: adminProcedure.query(
    ({ ctx: { workspace } }): Promise<InvitationRow[]> =>
      listInvitations(db(), { workspaceId: workspace.id, role: workspace.role }),
  ),
  invite: adminProcedure
    .input(z.object({ email: z.string(), role: z.enum(Role) }))
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
    .input(tokenInput)
    .query(
      ({ ctx: { signedIn }, input: { token } }): Promise<InvitationView> =>
        getInvitation(db(), { token, visitor: signedIn?.user ?? null }),
    ),
  join: publicScreenProcedure
    .input(tokenInput.extend({ name: z.string(), password: z.string() }))
    .mutation(async ({ ctx, input }) => {
      const { email } = await acceptAsNewcomer(input);
      return signIn(ctx.headers, { email, password: input.password });
    }),
  accept: publicScreenProcedure.input(tokenInput).mutation(({ ctx: { signedIn }, input }) => {
    if (!signedIn) throw new Refusal('forbidden', 'Sign in to accept the invitation.');
    return acceptAsTeammate(signedIn, input.token);
  }),
});
