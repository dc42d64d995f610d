import type { Db } from '#server/db.ts';
import type { HookRemoval } from '#server/generated/prisma/enums.ts';

/**
 * Removes live hooks, keeping a record of each with the reason. Deliveries still waiting end by themselves
 * when they come up. Removing a removed hook changes nothing.
 * @returns how many were live
 */
export async function removeHooks(
  db: Db,
  which: { workspaceId: string; id: string } | { connectionId: string },
  reason: HookRemoval,
): Promise<number> {
  const { count } = await db.hook.updateMany({
    where: { ...which, removedAt: null },
    data: { removedAt: new Date(), removalReason: reason },
  });
  return count;
}
