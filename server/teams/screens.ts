import { z } from 'zod';
import { db } from '#server/db.ts';
import { managingProcedure } from '#server/teammates/managing-procedure.ts';
import { isManaging } from '#server/teammates/roles.ts';
import { addTeamMember, removeTeamMember } from '#server/teams/change-members.ts';
import { createTeam } from '#server/teams/create-team.ts';
import { deleteTeam } from '#server/teams/delete-team.ts';
import { renameTeam } from '#server/teams/rename-team.ts';
import { showTeams } from '#server/teams/show-teams.ts';
import type { TeamsView } from '#server/teams/views.ts';
import { screenProcedure, screenRouter } from '#server/trpc.ts';

export type * from '#server/teams/views.ts';

const which = z.object({ id: z.string() });
const membership = which.extend({ userId: z.string() });

/** The teams that conversations can be given to. */
export const teamsScreens = screenRouter({
  show: screenProcedure.query(
    async ({ ctx: { workspace } }): Promise<TeamsView> => ({
      mayManage: isManaging(workspace.role),
      ...(await showTeams(db(), workspace.id)),
    }),
  ),
  create: managingProcedure
    .input(z.object({ name: z.string() }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      createTeam({ workspaceId: workspace.id, ...input, by: user }),
    ),
  rename: managingProcedure
    .input(which.extend({ name: z.string() }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      renameTeam({ workspaceId: workspace.id, ...input, by: user }),
    ),
  delete: managingProcedure
    .input(which)
    .mutation(({ ctx: { workspace, user }, input }) =>
      deleteTeam({ workspaceId: workspace.id, ...input, by: user }),
    ),
  addMember: managingProcedure
    .input(membership)
    .mutation(({ ctx: { workspace, user }, input }) =>
      addTeamMember({ workspaceId: workspace.id, ...input, by: user }),
    ),
  removeMember: managingProcedure
    .input(membership)
    .mutation(({ ctx: { workspace, user }, input }) =>
      removeTeamMember({ workspaceId: workspace.id, ...input, by: user }),
    ),
});
