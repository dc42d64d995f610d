import { validate as isUuid } from 'uuid';
import { nameTaken, parseTeamName } from '#server/administration/teams/create-team.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { afterCommit } from '#server/core/database/after-commit.ts';
import { isUniqueViolation } from '#server/core/database/errors.ts';
import type { Tx } from '#server/core/database/prisma.ts';
import { invalid, notFound } from '#server/core/errors.ts';
import { publish } from '#server/core/live/publish.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';
import { findAssignable } from '#server/teammates/find-teammates.ts';
import { asManager } from '#server/teammates/require-role.ts';

type Membership = { workspaceId: string; id: string; userId: string; by: Teammate };

/**
 * Adds a teammate to a team. Does nothing if the teammate is a member. Refuses viewers, because members are notified
 * of the team's overdue conversations and take them over.
 * @throws Refusal when `by` is neither owner nor admin, there is no such team, or the teammate cannot have
 * conversations
 */
export async function addTeamMember({ workspaceId, id, userId, by }: Membership): Promise<void> {
  await asManager({ workspaceId, by }, async (tx) => {
    const team = await lockTeam(tx, { workspaceId, id });
    const teammate = await findAssignable(tx, { workspaceId, id: userId });
    if (!teammate) {
      throw invalid({ userId: ['Choose a teammate of this workspace who can take conversations.'] });
    }
    const { count } = await tx.teamMember.createMany({
      data: { workspaceId, teamId: id, userId },
      skipDuplicates: true,
    });
    if (count === 0) return;
    await addEntry(tx, { kind: 'team_member_added', workspaceId, by, team, teammate });
    afterCommit(tx, () => publish(workspaceId, 'access'));
  });
}

/**
 * Removes a teammate from a team; their conversations stay assigned to them. Does nothing for a teammate who is not a
 * member.
 * @throws Refusal when `by` is neither owner nor admin, or there is no such team
 */
export async function removeTeamMember({ workspaceId, id, userId, by }: Membership): Promise<void> {
  await asManager({ workspaceId, by }, async (tx) => {
    const team = await lockTeam(tx, { workspaceId, id });
    const [removed] = await tx.$queryRaw<{ id: string; name: string }[]>`
      delete from team_members m using users u
      where m.team_id = ${id}::uuid and m.user_id::text = ${userId} and u.id = m.user_id
      returning u.id, u.name`;
    if (!removed) return;
    await addEntry(tx, { kind: 'team_member_removed', workspaceId, by, team, teammate: removed });
    afterCommit(tx, () => publish(workspaceId, 'access'));
  });
}

async function addEntry(
  tx: Tx,
  entry: {
    kind: 'team_member_added' | 'team_member_removed';
    workspaceId: string;
    by: Teammate;
    team: { id: string; name: string };
    teammate: { id: string; name: string };
  },
): Promise<void> {
  const { kind, workspaceId, by, team, teammate } = entry;
  const data = {
    teamId: team.id,
    teamName: team.name,
    teammateId: teammate.id,
    teammateName: teammate.name,
  };
  await addAuditEntry(tx, { workspaceId, kind, by, data });
}

/**
 * Renames a team. Earlier timeline entries keep the old name.
 * @throws Refusal when `by` is neither owner nor admin, there is no such team, or the name is invalid or in
 * use
 */
export async function renameTeam(change: {
  workspaceId: string;
  id: string;
  name: string;
  by: Teammate;
}): Promise<void> {
  const { workspaceId, id, by } = change;
  const name = parseTeamName(change.name);
  try {
    await asManager({ workspaceId, by }, async (tx) => {
      const { name: before } = await lockTeam(tx, { workspaceId, id });
      if (before === name) return;
      await tx.team.updateMany({ where: { workspaceId, id }, data: { name } });
      const data = { teamId: id, from: before, to: name };
      await addAuditEntry(tx, { workspaceId, kind: 'team_renamed', by, data });
      afterCommit(tx, () => publish(workspaceId, 'conversations'));
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw nameTaken(name);
    throw error;
  }
}

/**
 * Locks a team for update. A transaction that assigns a conversation to the team waits, then sees the team as
 * this transaction leaves it. Lock order: teams before conversations.
 * @throws Refusal when the workspace has no such team
 */
export async function lockTeam(
  tx: Tx,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<{ id: string; name: string }> {
  const [team] = isUuid(id)
    ? await tx.$queryRaw<{ id: string; name: string }[]>`
        select id, name from teams
        where workspace_id = ${workspaceId}::uuid and id = ${id}::uuid and deleted_at is null
        for update`
    : [];
  if (!team) throw notFound('The team');
  return team;
}
