import { z } from 'zod';
import { addTeamMember, removeTeamMember, renameTeam } from '#server/administration/teams/change-team.ts';
import { createTeam, TEAMS_MAX } from '#server/administration/teams/create-team.ts';
import { deleteTeam } from '#server/administration/teams/delete-team.ts';
import { setTeamAssignment } from '#server/administration/teams/set-team-assignment.ts';
import { keyInput, lineInput } from '#server/contract/text-input.ts';
import { type Db, db } from '#server/core/database/prisma.ts';
import { COUNTED_MAX, shown } from '#server/core/shown-count.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { TeamAssignment } from '#server/generated/prisma/enums.ts';
import { isVisible } from '#server/inbox/conversations/visible-conversations.ts';
import { adminProcedure, screenProcedure, screenRouter } from '#server/screens/procedures.ts';
import type { TeamsView } from '#server/screens/settings/people-views.ts';
import { compareNames, listTeammates } from '#server/teammates/find-teammates.ts';
import { isAdmin } from '#server/teammates/roles.ts';
import type { MemberWorkspace } from '#server/teammates/signed-in.ts';
import type { Visibility } from '#server/teammates/visibility.ts';

export type * from '#server/screens/settings/views.ts';

const which = z.object({ id: keyInput });
const membership = which.extend({ userId: keyInput });

export const teamsScreens = screenRouter({
  get: screenProcedure.query(
    async ({ ctx: { workspace } }): Promise<TeamsView> => ({
      mayManage: isAdmin(workspace.role),
      ...(await getTeams(db(), workspace)),
    }),
  ),
  create: adminProcedure
    .input(z.object({ name: lineInput }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      createTeam({ workspaceId: workspace.id, ...input, by: user }),
    ),
  rename: adminProcedure
    .input(which.extend({ name: lineInput }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      renameTeam({ workspaceId: workspace.id, ...input, by: user }),
    ),
  delete: adminProcedure
    .input(which)
    .mutation(({ ctx: { workspace, user }, input }) =>
      deleteTeam({ workspaceId: workspace.id, ...input, by: user }),
    ),
  setAssignment: adminProcedure
    .input(which.extend({ assignment: z.enum(TeamAssignment), limit: z.number().nullable() }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      setTeamAssignment({ workspaceId: workspace.id, ...input, by: user }),
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

/** Returns the teams of a workspace with members and the number of conversations, up to 999. */
async function getTeams(
  db: Db,
  { id: workspaceId, visibility }: Pick<MemberWorkspace, 'id' | 'visibility'>,
): Promise<Omit<TeamsView, 'mayManage'>> {
  const [teams, conversations, teammates] = await Promise.all([
    db.team.findMany({
      where: { workspaceId, deletedAt: null },
      select: {
        id: true,
        name: true,
        assignment: true,
        assignmentLimit: true,
        members: { select: { member: { select: { user: { select: { id: true, name: true } } } } } },
      },
      relationLoadStrategy: 'join',
    }),
    countConversations(db, { workspaceId, visibility }),
    listTeammates(db, workspaceId),
  ]);
  const counts = new Map(conversations.map(({ id, count }) => [id, count]));
  return {
    teams: teams
      .map(({ id, name, members, assignment, assignmentLimit }) => ({
        id,
        name,
        assignment,
        assignmentLimit,
        members: members.map(({ member }) => member.user).sort(compareNames),
        conversations: shown(counts.get(id)),
      }))
      .sort(compareNames),
    teamsMax: TEAMS_MAX,
    teammates: teammates.map(({ id, name }) => ({ id, name })),
  };
}

/**
 * Counts by an index only, up to one above the displayed maximum. A limited view is counted among that many conversations of each
 * team.
 */
function countConversations(
  db: Db,
  { workspaceId, visibility }: { workspaceId: string; visibility: Visibility | null },
): Promise<{ id: string; count: number }[]> {
  return db.$queryRaw`
    select t.id, counted.count
    from teams t
    cross join lateral (
      select count(*)::int as count from (
        select ${visibility ? Prisma.sql`c.*` : Prisma.empty} from conversations c
        where c.workspace_id = t.workspace_id and c.team_id = t.id and c.merged_into_id is null and not c.is_test
          and c.removal is null
        limit ${COUNTED_MAX + 1}::int) c where ${isVisible(visibility, 'c')}
    ) counted
    where t.workspace_id = ${workspaceId}::uuid and t.deleted_at is null`;
}
