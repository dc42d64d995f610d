import { lockTeam } from '#server/administration/teams/change-team.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { afterCommit } from '#server/core/database/after-commit.ts';
import { invalid } from '#server/core/errors.ts';
import { publish } from '#server/core/live/publish.ts';
import type { TeamAssignment } from '#server/generated/prisma/enums.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';
import { asManager } from '#server/teammates/require-role.ts';

/** Maximum of the limit of open conversations. A check constraint has the same. */
const LIMIT_MAX = 999;

/** How a team's unassigned conversations are assigned. `limit`: open conversations with which a member gets no more, or null. */
export type AssignmentSetting = { assignment: TeamAssignment; limit: number | null };

/**
 * Sets how conversations of a team are assigned automatically. Applies to those that come to the team or are open again from now on.
 * Those that wait for someone to be available are left unassigned when it is turned off.
 * @throws Refusal when `by` is neither owner nor admin, there is no such team, or the limit is invalid
 */
export async function setTeamAssignment(
  change: AssignmentSetting & { workspaceId: string; id: string; by: Teammate },
): Promise<void> {
  const { workspaceId, id, assignment, by } = change;
  const limit = assignment === 'off' ? null : change.limit;
  if (limit !== null && !(Number.isInteger(limit) && limit >= 1 && limit <= LIMIT_MAX))
    throw invalid({ limit: [`Enter a number from 1 to ${LIMIT_MAX}, or leave it empty for no limit.`] });
  await asManager({ workspaceId, by }, async (tx) => {
    const { name: teamName } = await lockTeam(tx, { workspaceId, id });
    const before = await tx.team.findUniqueOrThrow({
      where: { id },
      select: { assignment: true, assignmentLimit: true },
    });
    if (before.assignment === assignment && before.assignmentLimit === limit) return;
    await tx.team.update({
      where: { id },
      data: { assignment, assignmentLimit: limit },
      select: { id: true },
    });
    if (assignment === 'off') await tx.waitingAssignment.deleteMany({ where: { teamId: id } });
    const data = { teamId: id, teamName, to: describe({ assignment, limit }) };
    await addAuditEntry(tx, { workspaceId, kind: 'team_assignment_set', by, data });
    afterCommit(tx, () => publish(workspaceId, 'teammates'));
  });
}

const NAMES: Record<TeamAssignment, string> = {
  off: 'off',
  round_robin: 'round robin',
  least_busy: 'least busy',
};

function describe({ assignment, limit }: AssignmentSetting): string {
  return `${NAMES[assignment]}${limit === null ? '' : `, with up to ${limit} open conversations each`}`;
}
