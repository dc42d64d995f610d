import type { Teammate } from '#server/contract/record-schemas.ts';
import type { Tx } from '#server/core/database/db.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { changeMany } from '#server/inbox/conversations/change-many.ts';
import type { Actor } from '#server/teammates/actor.ts';

/**
 * Takes conversations from a teammate who leaves their workspace or becomes a viewer: a conversation's assignee is a
 * member who can answer in it.
 * @param limit at most so many; without it all of them, and then the caller holds the membership's lock
 * @returns how many
 */
export function unassignAll(
  tx: Tx,
  given: { workspaceId: string; assignee: Teammate; actor: Actor; now: Date; limit?: number },
): Promise<number> {
  const { assignee, limit = null, ...rest } = given;
  return changeMany(tx, {
    ...rest,
    whose: Prisma.sql`assignee_id = ${assignee.id}::uuid`,
    emptied: ['assignee_id', 'assigned_at'],
    entry: { kind: 'unassigned', data: { assigneeName: assignee.name } },
    limit,
  });
}
