import { lockTeam } from '#server/administration/teams/change-team.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { afterCommit } from '#server/core/database/after-commit.ts';
import { db, inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { queueJob } from '#server/core/jobs/outbox.ts';
import { publish } from '#server/core/live/publish.ts';
import { takeFromTeam } from '#server/inbox/conversations/unassign-all.ts';
import type { Actor } from '#server/teammates/actor.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';
import { asManager } from '#server/teammates/require-role.ts';

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

/** So many conversations change in one transaction, so that none holds its locks for long. */
const BATCH = 1_000;
/** For how long a job goes on before it leaves the rest to another one, in milliseconds. */
const GO_ON_FOR_MS = 10_000;

/**
 * Takes the conversations that are left out of a deleted team, and removes it. Goes on in another job when it takes
 * long, and may run again at any time. A team that was not deleted stays as it is.
 * @param byId who deleted it, for the timeline; once their account is gone it names no one
 * @param goOnForMs after so many milliseconds the rest is another job's
 */
export async function removeTeam(
  { teamId, byId }: { teamId: string; byId: string },
  goOnForMs: number = GO_ON_FOR_MS,
): Promise<void> {
  const until = performance.now() + goOnForMs;
  const team = await db().team.findFirst({
    where: { id: teamId, deletedAt: { not: null } },
    select: { id: true, name: true, workspaceId: true },
  });
  if (!team) return;
  const { workspaceId } = team;
  const actor = await actorOf(byId);
  for (;;) {
    const isRemoved = await inTransaction(async (tx) => {
      await takeFromTeam(tx, { workspaceId, team, actor, now: new Date(), limit: BATCH });
      afterCommit(tx, () => publish(workspaceId, 'conversations'));
      return dropEmptyTeam(tx, teamId);
    });
    if (isRemoved) return;
    if (performance.now() > until) break;
  }
  await inTransaction((tx) => queueJob(tx, 'remove-team', { teamId, byId }));
}

/** Removes the row of a deleted team once no conversation is in it. Returns whether it is gone. */
async function dropEmptyTeam(tx: Tx, id: string): Promise<boolean> {
  const left = await tx.$queryRaw<unknown[]>`
    select 1 as one from conversations c join teams t on t.workspace_id = c.workspace_id and t.id = c.team_id
    where t.id = ${id}::uuid limit 1`;
  if (left.length > 0) return false;
  await tx.team.deleteMany({ where: { id, deletedAt: { not: null } } });
  return true;
}

async function actorOf(id: string): Promise<Actor> {
  const teammate = await db().user.findUnique({
    where: { id },
    select: { id: true, name: true, email: true },
  });
  return teammate ? { kind: 'teammate', teammate } : { kind: 'automatic' };
}
