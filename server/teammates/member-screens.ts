import { z } from 'zod';
import { db } from '#server/db.ts';
import { Refusal } from '#server/errors.ts';
import { Role } from '#server/generated/prisma/enums.ts';
import { listMembers } from '#server/teammates/list-members.ts';
import { managingProcedure } from '#server/teammates/managing-procedure.ts';
import { removeMember } from '#server/teammates/remove-member.ts';
import { ONLY_MANAGERS } from '#server/teammates/require-role.ts';
import { rolesToInvite } from '#server/teammates/role-rules.ts';
import { isManaging } from '#server/teammates/roles.ts';
import { setRole } from '#server/teammates/set-role.ts';
import { showRemoval } from '#server/teammates/show-removal.ts';
import type { RemovalView, TeammatesView } from '#server/teammates/views.ts';
import { screenProcedure, screenRouter } from '#server/trpc.ts';

const which = z.object({ userId: z.string() });

/** Who is in the open workspace, and in which role. */
export const teammatesScreens = screenRouter({
  list: screenProcedure.query(async ({ ctx: { workspace, user } }): Promise<TeammatesView> => {
    const { id: workspaceId, role } = workspace;
    return {
      mayManage: isManaging(role),
      invitableRoles: rolesToInvite(role),
      teammates: await listMembers(db(), { workspaceId, by: { id: user.id, role } }),
    };
  }),
  removal: screenProcedure
    .input(which)
    .query(({ ctx: { workspace, user }, input: { userId } }): Promise<RemovalView> => {
      const mayAsk = userId === user.id || isManaging(workspace.role);
      if (!mayAsk) throw new Refusal('forbidden', ONLY_MANAGERS);
      return showRemoval(db(), { workspaceId: workspace.id, userId });
    }),
  setRole: managingProcedure
    .input(which.extend({ role: z.enum(Role) }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      setRole({ workspaceId: workspace.id, ...input, by: user }),
    ),
  remove: managingProcedure
    .input(which)
    .mutation(({ ctx: { workspace, user }, input }) =>
      removeMember({ workspaceId: workspace.id, ...input, by: user }),
    ),
  leave: screenProcedure.mutation(({ ctx: { workspace, user } }) =>
    removeMember({ workspaceId: workspace.id, userId: user.id, by: user }),
  ),
});
