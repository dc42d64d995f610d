import type { Tx } from '#server/core/database/db.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { changeMany } from '#server/inbox/conversations/change-many.ts';
import type { Actor } from '#server/teammates/actor.ts';

/**
 * Takes conversations out of a team that is being deleted.
 * @returns how many
 */
export function takeFromTeam(
  tx: Tx,
  given: { workspaceId: string; team: { id: string; name: string }; actor: Actor; now: Date; limit: number },
): Promise<number> {
  const { team, ...rest } = given;
  return changeMany(tx, {
    ...rest,
    whose: Prisma.sql`team_id = ${team.id}::uuid`,
    emptied: ['team_id'],
    entry: { kind: 'team_removed', data: { teamName: team.name } },
  });
}
