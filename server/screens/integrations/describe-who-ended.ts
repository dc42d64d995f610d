import type { Db } from '#server/core/database/db.ts';

/** Who ended each of a workspace's connections, by name, where someone did: the audit list knows. */
export async function describeWhoEnded(
  db: Db,
  { workspaceId, connectionIds }: { workspaceId: string; connectionIds: string[] },
): Promise<Map<string, string>> {
  if (connectionIds.length === 0) return new Map();
  const entries = await db.auditEntry.findMany({
    where: { workspaceId, kind: 'connection_ended', connectionId: { in: connectionIds } },
    select: { connectionId: true, userName: true },
  });
  return new Map(
    entries.flatMap(({ connectionId, userName }): [string, string][] =>
      connectionId && userName ? [[connectionId, userName]] : [],
    ),
  );
}
