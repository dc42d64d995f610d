import { z } from 'zod';
import { addTeamMember, removeTeamMember } from '#server/administration/teams/change-team.ts';
import { createTeam } from '#server/administration/teams/create-team.ts';
import { deleteTeam } from '#server/administration/teams/delete-team.ts';
import { renameTeam } from '#server/administration/teams/rename-team.ts';
import { db } from '#server/core/database/db.ts';
import { adminProcedure } from '#server/screens/admin-procedure.ts';
import { screenProcedure, screenRouter } from '#server/screens/procedures.ts';
import { getTeams } from '#server/screens/settings/get-teams.ts';
import type { TeamsView } from '#server/screens/settings/teams-views.ts';
import { isAdmin } from '#server/teammates/roles.ts';

export type * from '#server/screens/settings/teams-views.ts';

const which = z.object({ id: z.string() });
const membership = which.extend({ userId: z.string() });

/** The teams that conversations can be given to. */
export const teamsScreens = screenRouter({
  get: screenProcedure.query(
    async ({ ctx: { workspace } }): Promise<TeamsView> => ({
      mayManage: isAdmin(workspace.role),
      ...(await getTeams(db(), workspace.id)),
    }),
  ),
  create: adminProcedure
    .input(z.object({ name: z.string() }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      createTeam({ workspaceId: workspace.id, ...input, by: user }),
    ),
  rename: adminProcedure
    .input(which.extend({ name: z.string() }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      renameTeam({ workspaceId: workspace.id, ...input, by: user }),
    ),
  delete: adminProcedure
    .input(which)
    .mutation(({ ctx: { workspace, user }, input }) =>
      deleteTeam({ workspaceId: workspace.id, ...input, by: user }),
    ),
  addMember: adminProcedure
    .input(membership)
    .mutation(({ ctx: { workspace, user }, input }) =>
      addTeamMember({ workspaceId: workspace.id, ...input, by: user }),
    ),
  removeMember: adminProcedure
    .input(membership)
    .mutation(({ ctx: { workspace, user }, input }) =>
      removeTeamMember({ workspaceId: workspace.id, ...input, by: user }),
    ),
});
