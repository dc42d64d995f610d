import { parseName } from '#server/contract/parse-name.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { afterCommit } from '#server/core/database/after-commit.ts';
import { isUniqueViolation } from '#server/core/database/errors.ts';
import { invalid, type Refusal } from '#server/core/errors.ts';
import { publish } from '#server/core/live/publish.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';
import { asManager } from '#server/teammates/require-role.ts';

/** Maximum number of teams per workspace. */
export const TEAMS_MAX = 100;

/**
 * Creates a team without members.
 * @returns its id
 * @throws Refusal when `by` is neither owner nor admin, the name is invalid or in use, or there are 100 teams
 */
export async function createTeam(input: {
  workspaceId: string;
  name: string;
  by: Teammate;
}): Promise<{ id: string }> {
  const { workspaceId, by } = input;
  const name = parseTeamName(input.name);
  try {
    return await asManager({ workspaceId, by }, async (tx) => {
      if ((await tx.team.count({ where: { workspaceId, deletedAt: null } })) >= TEAMS_MAX) {
        throw invalid({ name: [`A workspace can have up to ${TEAMS_MAX} teams. Delete one first.`] });
      }
      const { id } = await tx.team.create({ data: { workspaceId, name }, select: { id: true } });
      await addAuditEntry(tx, {
        workspaceId,
        kind: 'team_created',
        by,
        data: { teamId: id, teamName: name },
      });
      afterCommit(tx, () => publish(workspaceId, 'conversations'));
      return { id };
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw nameTaken(name);
    throw error;
  }
}

/**
 * Returns the trimmed name of a team.
 * @throws Refusal when it is empty, too long, or not one line of plain text
 */
export function parseTeamName(typed: string): string {
  return parseName(typed, { field: 'name', label: 'team name' });
}

/** Returns the refusal of a name that another team of the workspace has, ignoring case. */
export function nameTaken(name: string): Refusal {
  return invalid({ name: [`There is already a team called ${name}. Choose another name.`] });
}
