import { explainEnd } from '#server/automation/connections/explain-end.ts';
import type { Db } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { PAGE_ITEMS, pageFrom } from '#server/screens/integrations/list-connections.ts';
import type { EndedConnectionView, HistoryPage } from '#server/screens/integrations/views.ts';

type PageRequest = { workspaceId: string; cursor?: string | undefined };

/**
 * Returns a page of a workspace's past connections, latest end first, with the teammate, the period and the
 * reason (docs/spec.md §1, connection management).
 * @param request.cursor an invalid cursor starts at the newest
 */
export async function listEndedConnections(
  db: Db,
  request: PageRequest,
): Promise<HistoryPage<EndedConnectionView>> {
  const { workspaceId } = request;
  const rows = await findRows(db, request);
  const page = rows.slice(0, PAGE_ITEMS);
  const enders = await describeWhoEnded(db, { workspaceId, connectionIds: page.map(({ id }) => id) });
  const { PLATFORM_NAME: platformName } = settings();
  const items = page.flatMap(({ endedAt, endReason, ...row }) => {
    if (!endedAt || !endReason) return [];
    const { id, createdAt: connectedAt, lastUsedAt } = row;
    const teammate = connectedTeammate(row);
    const endedBy = enders.get(id) ?? null;
    const words = explainEnd(endReason, { platformName, teammateName: teammate.name, endedBy });
    return [{ id, teammate, connectedAt, lastUsedAt, endedAt, ...words }];
  });
  return { items, older: rows.length > PAGE_ITEMS ? (items.at(-1)?.id ?? null) : null };
}

/** Returns the rows of a page and one more. */
async function findRows(db: Db, { workspaceId, cursor }: PageRequest) {
  const where = { workspaceId, endedAt: { not: null } };
  return db.connection.findMany({
    where,
    select: {
      id: true,
      createdAt: true,
      lastUsedAt: true,
      endedAt: true,
      endReason: true,
      ...connectedTeammateSelect,
    },
    orderBy: [{ endedAt: 'desc' }, { id: 'desc' }],
    ...(await pageFrom(db, where, cursor)),
    relationLoadStrategy: 'join',
  });
}

/** The columns that `connectedTeammate` needs. */
const connectedTeammateSelect = {
  teammateName: true,
  teammateEmail: true,
  user: { select: { name: true, email: true, deletedAt: true } },
} as const;

type Selected = {
  teammateName: string;
  teammateEmail: string;
  user: { name: string; email: string; deletedAt: Date | null } | null;
};

/**
 * Returns the teammate who connected: current name and address, or those at that time if the account is
 * deleted.
 */
function connectedTeammate({ user, teammateName, teammateEmail }: Selected) {
  if (user && !user.deletedAt) return { name: user.name, email: user.email };
  return { name: teammateName, email: teammateEmail };
}

/**
 * Returns the names of the teammates who ended connections, from the audit log. Other connections have no
 * entry.
 */
async function describeWhoEnded(
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
