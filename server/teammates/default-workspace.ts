import type { Db } from '#server/core/database/prisma.ts';

/**
 * Returns the workspace to open for a teammate: the last open one if still a member, else the first joined,
 * else null.
 */
export async function defaultWorkspace(db: Db, userId: string): Promise<string | null> {
  const user = await db.user.findUnique({
    where: { id: userId },
    select: {
      lastWorkspaceId: true,
      memberships: {
        where: { workspace: { deletedAt: null } },
        select: { workspaceId: true },
        orderBy: [{ createdAt: 'asc' }, { workspaceId: 'asc' }],
      },
    },
    relationLoadStrategy: 'join',
  });
  const joined = user?.memberships.map(({ workspaceId }) => workspaceId) ?? [];
  return joined.find((id) => id === user?.lastWorkspaceId) ?? joined[0] ?? null;
}
