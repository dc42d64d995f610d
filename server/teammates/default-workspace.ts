import type { Db } from '#server/core/database/prisma.ts';

/** The workspace to open for a teammate: the one last open while still a member, else the first joined; or null. */
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
