import { z } from 'zod';
import { db } from '#server/db.ts';
import { Refusal } from '#server/errors.ts';
import { Role } from '#server/generated/prisma/enums.ts';
import { acceptAsNewcomer } from '#server/invitations/accept-as-newcomer.ts';
import { acceptAsTeammate } from '#server/invitations/accept-as-teammate.ts';
import { inviteTeammate } from '#server/invitations/invite-teammate.ts';
import { listInvitations } from '#server/invitations/list-invitations.ts';
import { resendInvitation } from '#server/invitations/resend-invitation.ts';
import { showInvitation } from '#server/invitations/show-invitation.ts';
import type { InvitationRow, InvitationView } from '#server/invitations/views.ts';
import { withdrawInvitation } from '#server/invitations/withdraw-invitation.ts';
import { managingProcedure } from '#server/teammates/managing-procedure.ts';
import { signIn } from '#server/teammates/sign-in.ts';
import { publicScreenProcedure, screenRouter } from '#server/trpc.ts';

export type * from '#server/invitations/views.ts';

const tokenInput = z.object({ token: z.string() });
const which = z.object({ invitationId: z.string() });

/** Inviting, and the page of an invitation's link, which anybody may open. */
export const invitationsScreens = screenRouter({
  list: managingProcedure.query(
    ({ ctx: { workspace } }): Promise<InvitationRow[]> =>
      listInvitations(db(), { workspaceId: workspace.id, role: workspace.role }),
  ),
  invite: managingProcedure
    .input(z.object({ email: z.string(), role: z.enum(Role) }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      inviteTeammate({ workspaceId: workspace.id, ...input, by: user }),
    ),
  resend: managingProcedure
    .input(which)
    .mutation(({ ctx: { workspace, user }, input }) =>
      resendInvitation({ workspaceId: workspace.id, ...input, by: user }),
    ),
  withdraw: managingProcedure
    .input(which)
    .mutation(({ ctx: { workspace, user }, input }) =>
      withdrawInvitation({ workspaceId: workspace.id, ...input, by: user }),
    ),
  show: publicScreenProcedure
    .input(tokenInput)
    .query(
      ({ ctx: { signedIn }, input: { token } }): Promise<InvitationView> =>
        showInvitation(db(), { token, visitor: signedIn?.user ?? null }),
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
