import type { Db } from '#server/core/database/db.ts';

/** So many are named; no one needs a longer list to ask. */
const NAMED_MAX = 3;

/** The owners of a workspace whom others may ask, the first by name. */
export async function findOwners(db: Db, workspaceId: string): Promise<{ name: string; email: string }[]> {
  const owners = await db.member.findMany({
    where: { workspaceId, role: 'owner' },
    select: { user: { select: { name: true, email: true } } },
    orderBy: [{ user: { name: 'asc' } }, { userId: 'asc' }],
    take: NAMED_MAX,
    relationLoadStrategy: 'join',
  });
  return owners.map(({ user }) => user);
}
