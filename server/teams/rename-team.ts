import { addAuditEntry } from '#server/connections/add-audit-entry.ts';
import { afterCommit } from '#server/db.ts';
import { isDuplicate } from '#server/is-duplicate.ts';
import { announce } from '#server/live/announce.ts';
import type { Teammate } from '#server/teammates/actor.ts';
import { asManager } from '#server/teammates/as-manager.ts';
import { lockTeam } from '#server/teams/lock-team.ts';
import { nameTaken, readTeamName } from '#server/teams/read-team-name.ts';

/**
 * Gives a team another name; the one that it has changes nothing. What its timeline tells of it keeps the old one.
 * @throws Refusal when `by` is neither owner nor admin, there is no such team, or the name is not possible or taken
 */
export async function renameTeam(given: {
  workspaceId: string;
  id: string;
  name: string;
  by: Teammate;
}): Promise<void> {
  const { workspaceId, id, by } = given;
  const name = readTeamName(given.name);
  try {
    await asManager({ workspaceId, by }, async (tx) => {
      const { name: before } = await lockTeam(tx, { workspaceId, id });
      if (before === name) return;
      await tx.team.updateMany({ where: { workspaceId, id }, data: { name } });
      const data = { teamId: id, from: before, to: name };
      await addAuditEntry(tx, { workspaceId, kind: 'team_renamed', by, data });
      afterCommit(tx, () => announce(workspaceId, 'conversations'));
    });
  } catch (error) {
    if (isDuplicate(error)) throw nameTaken(name);
    throw error;
  }
}
