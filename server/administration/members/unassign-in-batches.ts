import type { Teammate } from '#server/contract/record-schemas.ts';
import { db, inTransaction } from '#server/core/database/db.ts';
import { unassignAll } from '#server/inbox/conversations/unassign-all.ts';
import type { Actor } from '#server/teammates/actor.ts';

/** So many conversations change hands in one transaction, so that none holds its locks for long. */
const BATCH = 1_000;

type Leaving = { workspaceId: string; assignee: Teammate; actor: Actor };

/**
 * Of a teammate with thousands of conversations who is about to leave a workspace, or to become a viewer of it, takes
 * most of them before the transaction in which that happens: that one takes the rest and is short. Someone with few of
 * them keeps these until then. Broken off in between, it has taken conversations from someone who is still there, for
 * others to take up.
 */
export async function unassignInBatches(leaving: Leaving): Promise<void> {
  while (await hasMany(leaving)) {
    await inTransaction((tx) => unassignAll(tx, { ...leaving, now: new Date(), limit: BATCH }));
  }
}

async function hasMany({ workspaceId, assignee }: Leaving): Promise<boolean> {
  const beyond = await db().conversation.findMany({
    where: { workspaceId, assigneeId: assignee.id },
    select: { id: true },
    skip: BATCH,
    take: 1,
  });
  return beyond.length > 0;
}
