import { lockTeam } from '#server/administration/teams/lock-team.ts';
import { dropEmptyTeam } from '#server/administration/teams/remove-team.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { afterCommit } from '#server/core/database/db.ts';
import { queueJob } from '#server/core/jobs/queue-job.ts';
import { publish } from '#server/core/live/publish.ts';
import { takeFromTeam } from '#server/inbox/conversations/take-from-team.ts';
import { asManager } from '#server/teammates/as-manager.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';

/** So many conversations leave a team with it; of a larger one the rest is a job's. */
const AT_ONCE = 1_000;

/**
 * Deletes a team: from here on no one sees it and no conversation can be given to it, and its name is free. Its
 * conversations leave it with a timeline entry each, a thousand of them now and the others by a job; of these, too, no
 * one sees the team any more. Flows that give to it give to none.
 * @throws Refusal when `by` is neither owner nor admin, or there is no such team
 */
export async function deleteTeam(given: { workspaceId: string; id: string; by: Teammate }): Promise<void> {
  const { workspaceId, id, by } = given;
  await asManager({ workspaceId, by }, async (tx) => {
    const team = await lockTeam(tx, { workspaceId, id });
    const actor = { kind: 'teammate', teammate: by } as const;
    await takeFromTeam(tx, { workspaceId, team, actor, now: new Date(), limit: AT_ONCE });
    await tx.team.updateMany({ where: { workspaceId, id }, data: { deletedAt: new Date() } });
    await tx.teamMember.deleteMany({ where: { teamId: id } });
    if (!(await dropEmptyTeam(tx, id))) await queueJob(tx, 'remove-team', { teamId: id, byId: by.id });
    await addAuditEntry(tx, {
      workspaceId,
      kind: 'team_deleted',
      by,
      data: { teamId: id, teamName: team.name },
    });
    afterCommit(tx, () => publish(workspaceId, 'conversations'));
  });
}
