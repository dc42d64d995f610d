import { z } from 'zod';
import { removeMember } from '#server/administration/members/remove-member.ts';
import { rolesToInvite } from '#server/administration/members/role-rules.ts';
import { setRole } from '#server/administration/members/set-role.ts';
import { db } from '#server/core/database/db.ts';
import { Refusal } from '#server/core/errors.ts';
import { Role } from '#server/generated/prisma/enums.ts';
import { adminProcedure } from '#server/screens/admin-procedure.ts';
import { screenProcedure, screenRouter } from '#server/screens/procedures.ts';
import { getRemoval } from '#server/screens/settings/get-removal.ts';
import { listMembers } from '#server/screens/settings/list-members.ts';
import type { RemovalView, TeammatesView } from '#server/screens/settings/teammates-views.ts';
import { ONLY_MANAGERS } from '#server/teammates/require-role.ts';
import { isAdmin } from '#server/teammates/roles.ts';

const which = z.object({ userId: z.string() });

/** Who is in the open workspace, and in which role. */
export const teammatesScreens = screenRouter({
  list: screenProcedure.query(async ({ ctx: { workspace, user } }): Promise<TeammatesView> => {
    const { id: workspaceId, role } = workspace;
    return {
      mayManage: isAdmin(role),
      invitableRoles: rolesToInvite(role),
      teammates: await listMembers(db(), { workspaceId, by: { id: user.id, role } }),
    };
  }),
  removal: screenProcedure
    .input(which)
    .query(({ ctx: { workspace, user }, input: { userId } }): Promise<RemovalView> => {
      const mayAsk = userId === user.id || isAdmin(workspace.role);
      if (!mayAsk) throw new Refusal('forbidden', ONLY_MANAGERS);
      return getRemoval(db(), { workspaceId: workspace.id, userId });
    }),
  setRole: adminProcedure
    .input(which.extend({ role: z.enum(Role) }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      setRole({ workspaceId: workspace.id, ...input, by: user }),
    ),
  remove: adminProcedure
    .input(which)
    .mutation(({ ctx: { workspace, user }, input }) =>
      removeMember({ workspaceId: workspace.id, ...input, by: user }),
    ),
  leave: screenProcedure.mutation(({ ctx: { workspace, user } }) =>
    removeMember({ workspaceId: workspace.id, userId: user.id, by: user }),
  ),
});
