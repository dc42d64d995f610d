import { db } from '#server/core/database/db.ts';

/** How many deliveries of a hook there are, and how many of them have not ended. */
export async function hookCounts(hookId: string): Promise<{ made: number; unended: number }> {
  const [made, unended] = await Promise.all([
    db().delivery.count({ where: { hookId } }),
    db().delivery.count({ where: { hookId, endedAt: null } }),
  ]);
  return { made, unended };
}
