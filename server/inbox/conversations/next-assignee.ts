import type { Teammate } from '#server/contract/record-schemas.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { TeamAssignment } from '#server/generated/prisma/enums.ts';
import { isAway } from '#server/teammates/away.ts';
import { findAssignable } from '#server/teammates/find-teammates.ts';
import { WORKING_ROLES } from '#server/teammates/roles.ts';

/** A team that assigns automatically. `limit`: open conversations with which a member gets no more. */
export type AutomaticAssignment = {
  id: string;
  workspaceId: string;
  name: string;
  assignment: Exclude<TeamAssignment, 'off'>;
  limit: number | null;
};

/** Open conversations of a member are counted up to this number. More make no difference. */
const COUNTED_MAX = 1_000;

/**
 * Locks a team that assigns automatically, so that parallel assignments of the team wait for each other. Others may still move
 * conversations to it. Undefined if it does not assign automatically or was deleted. Lock order: teams, members, conversations.
 */
export async function lockAssigningTeam(
  tx: SqlDb,
  { workspaceId, teamId }: { workspaceId: string; teamId: string },
): Promise<AutomaticAssignment | undefined> {
  const [team] = await tx.$queryRaw<AutomaticAssignment[]>`
    select t.id, t.workspace_id as "workspaceId", t.name, t.assignment, t.assignment_limit as "limit"
    from teams t join workspaces w on w.id = t.workspace_id and w.deleted_at is null
    where t.workspace_id = ${workspaceId}::uuid and t.id = ${teamId}::uuid and t.assignment <> 'off' and t.deleted_at is null
    for no key update of t`;
  return team;
}

/**
 * Chooses the member of a locked team who gets the next conversation, and locks the membership, so that nobody is assigned while
 * leaving. Null if nobody is available: all are away, viewers or at the limit.
 */
export async function findNextAssignee(tx: SqlDb, team: AutomaticAssignment): Promise<Teammate | null> {
  for (;;) {
    const id = await chooseMember(tx, team);
    if (id === undefined) return null;
    const teammate = await findAssignable(tx, { workspaceId: team.workspaceId, id });
    // A teammate who left while this transaction waited for the lock is not chosen again.
    if (teammate) return teammate;
  }
}

/**
 * Round robin: whoever got no conversation of the team for the longest time. Least busy: whoever has the fewest open conversations of
 * the workspace, and among equals the same order.
 */
async function chooseMember(
  tx: SqlDb,
  { id: teamId, assignment, limit }: AutomaticAssignment,
): Promise<string | undefined> {
  const countsOpen = assignment === 'least_busy' || limit !== null;
  const open = countsOpen
    ? Prisma.sql`(select count(*) from (
        select from conversations c
        where c.workspace_id = m.workspace_id and c.assignee_id = m.user_id and c.status = 'open'
          and c.merged_into_id is null and not c.is_test and c.removal is null
        limit ${COUNTED_MAX}::int) counted)`
    : Prisma.sql`0`;
  const [chosen] = await tx.$queryRaw<{ userId: string }[]>`
    select user_id as "userId" from (
      select m.user_id, tm.last_assigned_at, ${open} as open
      from team_members tm
      join members m on m.workspace_id = tm.workspace_id and m.user_id = tm.user_id
      where tm.team_id = ${teamId}::uuid and m.role = any (${[...WORKING_ROLES]}::role[]) and not ${isAway('m')}
      offset 0
    ) available
    where open < ${limit ?? COUNTED_MAX + 1}::int
    order by ${assignment === 'least_busy' ? Prisma.sql`open` : Prisma.sql`0::int`}, last_assigned_at nulls first, user_id
    limit 1`;
  return chosen?.userId;
}
