import { lockTeam } from '#server/administration/teams/lock-team.ts';
import { nameTaken, parseTeamName } from '#server/administration/teams/parse-team-name.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { afterCommit } from '#server/core/database/db.ts';
import { isUniqueViolation } from '#server/core/database/is-unique-violation.ts';
import { publish } from '#server/core/live/publish.ts';
import { asManager } from '#server/teammates/as-manager.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';

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
