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
 * Makes a teammate a member of a team; one who is stays one. Viewers cannot be: members hear of the team's overdue
 * conversations and take them.
 * @throws Refusal when `by` is neither owner nor admin, there is no such team, or the teammate cannot take
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
    if (count > 0) await addEntry(tx, { kind: 'team_member_added', workspaceId, by, team, teammate });
  });
}

/**
 * Takes a teammate out of a team; someone who is no member stays none. Their conversations stay theirs.
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
  });
}

async function addEntry(
  tx: Tx,
  given: {
    kind: 'team_member_added' | 'team_member_removed';
    workspaceId: string;
    by: Teammate;
    team: { id: string; name: string };
    teammate: { id: string; name: string };
  },
): Promise<void> {
  const { kind, workspaceId, by, team, teammate } = given;
  const data = {
    teamId: team.id,
    teamName: team.name,
    teammateId: teammate.id,
    teammateName: teammate.name,
  };
  await addAuditEntry(tx, { workspaceId, kind, by, data });
}

/**
 * Gives a team another name; the one that it has changes nothing. Earlier timeline entries keep the old one.
 * @throws Refusal when `by` is neither owner nor admin, there is no such team, or the name is not possible or taken
 */
export async function renameTeam(given: {
  workspaceId: string;
  id: string;
  name: string;
  by: Teammate;
}): Promise<void> {
  const { workspaceId, id, by } = given;
  const name = parseTeamName(given.name);
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
 * A team of a workspace, locked against everything, so that a transaction that assigns it a conversation waits, and
 * then finds it as this transaction leaves it. Teams are locked before conversations.
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
