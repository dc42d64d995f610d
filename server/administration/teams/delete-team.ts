import { lockTeam } from '#server/administration/teams/change-team.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { afterCommit } from '#server/core/database/after-commit.ts';
import { db, inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { queueJob } from '#server/core/jobs/outbox.ts';
import { publish } from '#server/core/live/publish.ts';
import { queueRecount } from '#server/inbox/conversations/recount-clocks.ts';
import { unassignFromTeam } from '#server/inbox/conversations/unassign-all.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';
import { findActor } from '#server/teammates/find-actor.ts';
import { asManager } from '#server/teammates/require-role.ts';

/** Conversations that leave the team in the deleting transaction; a job moves the rest. */
const FIRST_BATCH = 1_000;

/**
 * Deletes a team. It disappears immediately, its name is free, and nothing can be assigned to it. A thousand
 * conversations leave it now with a timeline entry each, and a job moves the rest; these show no team either.
 * Flows that assign to the team assign to none.
 * @throws Refusal when `by` is neither owner nor admin, or there is no such team
 */
export async function deleteTeam(input: { workspaceId: string; id: string; by: Teammate }): Promise<void> {
  const { workspaceId, id, by } = input;
  await asManager({ workspaceId, by }, async (tx) => {
    const team = await lockTeam(tx, { workspaceId, id });
    const actor = { kind: 'teammate', teammate: by } as const;
    await unassignFromTeam(tx, { workspaceId, team, actor, now: new Date(), limit: FIRST_BATCH });
    const [deleted] = await tx.team.updateManyAndReturn({
      where: { workspaceId, id },
      data: { deletedAt: new Date() },
      select: { businessHours: true },
    });
    // SLA clocks of its conversations now count the hours of the workspace.
    if (deleted?.businessHours) await queueRecount(tx, workspaceId);
    await tx.teamMember.deleteMany({ where: { teamId: id } });
    await tx.waitingAssignment.deleteMany({ where: { teamId: id } });
    if (!(await dropEmptyTeam(tx, id))) await queueJob(tx, 'remove-team', { teamId: id, byId: by.id });
    await addAuditEntry(tx, {
      workspaceId,
      kind: 'team_deleted',
      by,
      data: { teamId: id, teamName: team.name },
    });
    afterCommit(tx, () => publish(workspaceId, 'conversations'));
    afterCommit(tx, () => publish(workspaceId, 'access'));
  });
}

/** Conversations per transaction, so that none holds its locks for long. */
const BATCH = 1_000;
/** Time limit of one job in ms; another job continues after that. */
const TIME_LIMIT_MS = 10_000;

/**
 * Removes the remaining conversations of a deleted team, then the team. Continues in another job after the
 * time limit, and can run again at any time. Leaves a team that was not deleted unchanged.
 * @param byId the teammate who deleted it, for the timeline; the entries name no one once that account is
 * deleted
 */
export async function removeTeam(
  { teamId, byId }: { teamId: string; byId: string },
  timeLimitMs: number = TIME_LIMIT_MS,
): Promise<void> {
  const until = performance.now() + timeLimitMs;
  const team = await db().team.findFirst({
    where: { id: teamId, deletedAt: { not: null } },
    select: { id: true, name: true, workspaceId: true },
  });
  if (!team) return;
  const { workspaceId } = team;
  const actor = await findActor(byId);
  for (;;) {
    const isRemoved = await inTransaction(async (tx) => {
      await unassignFromTeam(tx, { workspaceId, team, actor, now: new Date(), limit: BATCH });
      afterCommit(tx, () => publish(workspaceId, 'conversations'));
      return dropEmptyTeam(tx, teamId);
    });
    if (isRemoved) return;
    if (performance.now() > until) break;
  }
  await inTransaction((tx) => queueJob(tx, 'remove-team', { teamId, byId }));
}

/** Deletes the row of a deleted team once it has no conversation. Returns whether the row is gone. */
async function dropEmptyTeam(tx: Tx, id: string): Promise<boolean> {
  const left = await tx.$queryRaw<unknown[]>`
    select 1 as one from conversations c join teams t on t.workspace_id = c.workspace_id and t.id = c.team_id
    where t.id = ${id}::uuid limit 1`;
  if (left.length > 0) return false;
  await tx.team.deleteMany({ where: { id, deletedAt: { not: null } } });
  return true;
}
