import { addAuditEntry } from '#server/connections/add-audit-entry.ts';
import { afterCommit } from '#server/db.ts';
import { invalid } from '#server/errors.ts';
import { isDuplicate } from '#server/is-duplicate.ts';
import { announce } from '#server/live/announce.ts';
import type { Teammate } from '#server/teammates/actor.ts';
import { asManager } from '#server/teammates/as-manager.ts';
import { nameTaken, readTeamName } from '#server/teams/read-team-name.ts';

/** Teams of a workspace. */
export const TEAMS_MAX = 100;

/**
 * Makes a team, which conversations can be given to from now on; it has no members yet.
 * @returns its id
 * @throws Refusal when `by` is neither owner nor admin, the name is not possible or taken, or there are 100 teams
 */
export async function createTeam(given: {
  workspaceId: string;
  name: string;
  by: Teammate;
}): Promise<{ id: string }> {
  const { workspaceId, by } = given;
  const name = readTeamName(given.name);
  try {
    return await asManager({ workspaceId, by }, async (tx) => {
      if ((await tx.team.count({ where: { workspaceId, deletedAt: null } })) >= TEAMS_MAX) {
        throw invalid({ name: [`A workspace has at most ${TEAMS_MAX} teams. Delete one first.`] });
      }
      const { id } = await tx.team.create({ data: { workspaceId, name }, select: { id: true } });
      await addAuditEntry(tx, {
        workspaceId,
        kind: 'team_created',
        by,
        data: { teamId: id, teamName: name },
      });
      afterCommit(tx, () => announce(workspaceId, 'conversations'));
      return { id };
    });
  } catch (error) {
    if (isDuplicate(error)) throw nameTaken(name);
    throw error;
  }
}
