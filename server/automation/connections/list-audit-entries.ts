import { validate as isUuid } from 'uuid';
import { auditSentence, CONNECTION_AUDIT_KINDS } from '#server/automation/connections/audit-sentence.ts';
import {
  connectedTeammate,
  connectedTeammateSelect,
} from '#server/automation/connections/connected-teammate.ts';
import type { AuditEntryView, HistoryPage } from '#server/automation/connections/history-views.ts';
import type { Db } from '#server/ground/db.ts';
import { settings } from '#server/ground/env.ts';

/** Entries of a page. */
const PAGE_ITEMS = 30;

type Asked = { workspaceId: string; cursor?: string | undefined };

/**
 * What happened to the connections of a workspace, newest first: approved, refused, disconnected, ended and why.
 * @param cursor where the page before ended; one that was never given out begins at the newest
 */
export async function listAuditEntries(db: Db, asked: Asked): Promise<HistoryPage<AuditEntryView>> {
  const rows = await findRows(db, asked);
  const page = rows.slice(0, PAGE_ITEMS);
  const names = await findTeammateNames(
    db,
    page.flatMap(({ connectionId }) => connectionId ?? []),
  );
  const { PLATFORM_NAME: platformName } = settings();
  const items = page.flatMap(({ id, kind, createdAt, connectionId, userName, data }) => {
    const teammateName = names.get(connectionId ?? '') ?? null;
    const sentence = auditSentence(kind, { by: userName, teammateName, data, platformName });
    return sentence === null ? [] : [{ id, at: createdAt, sentence }];
  });
  return { items, older: rows.length > PAGE_ITEMS ? (page.at(-1)?.id ?? null) : null };
}

/** The rows of a page and one more. */
async function findRows(db: Db, { workspaceId, cursor }: Asked) {
  const where = { workspaceId, kind: { in: CONNECTION_AUDIT_KINDS } };
  const from = isUuid(cursor)
    ? await db.auditEntry.findFirst({ where: { ...where, id: cursor ?? '' }, select: { id: true } })
    : null;
  return db.auditEntry.findMany({
    where,
    select: { id: true, kind: true, createdAt: true, connectionId: true, userName: true, data: true },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    ...(from ? { cursor: from, skip: 1 } : {}),
    take: PAGE_ITEMS + 1,
  });
}

/** Who made each of these connections, by name. */
async function findTeammateNames(db: Db, connectionIds: string[]): Promise<Map<string, string>> {
  const connections = await db.connection.findMany({
    where: { id: { in: connectionIds } },
    select: { id: true, ...connectedTeammateSelect },
    relationLoadStrategy: 'join',
  });
  return new Map(connections.map((connection) => [connection.id, connectedTeammate(connection).name]));
}
