import { validate as isUuid } from 'uuid';
import { ask, type ReadDb, read } from '#server/core/database/reads.ts';
import { settings } from '#server/core/env.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { auditSentence, CONNECTION_AUDIT_KINDS } from '#server/screens/integrations/audit-sentence.ts';
import type { AuditEntryView, HistoryPage } from '#server/screens/integrations/history-views.ts';

/** Entries of a page. */
const PAGE_ITEMS = 30;

type Asked = { workspaceId: string; cursor?: string | undefined };

/**
 * What happened to the connections of a workspace, newest first: approved, refused, disconnected, ended and why.
 * @param cursor where the page before ended; one that was never given out begins at the newest
 */
export function listAuditEntries(db: ReadDb, asked: Asked): Promise<HistoryPage<AuditEntryView>> {
  return ask(db, read(statement(asked), auditPage));
}

function auditPage(rows: Row[]): HistoryPage<AuditEntryView> {
  const page = rows.slice(0, PAGE_ITEMS);
  const { PLATFORM_NAME: platformName } = settings();
  const items = page.flatMap(({ id, kind, createdAt, userName, data, teammateName }) => {
    const sentence = auditSentence(kind, { by: userName, teammateName, data, platformName });
    return sentence === null ? [] : [{ id, at: new Date(createdAt), sentence }];
  });
  return { items, older: rows.length > PAGE_ITEMS ? (page.at(-1)?.id ?? null) : null };
}

/** A row of it as JSON; `teammateName`: who made the connection. */
type Row = {
  id: string;
  kind: string;
  createdAt: string;
  userName: string | null;
  data: unknown;
  teammateName: string | null;
};

/** The rows of a page and one more. */
function statement({ workspaceId, cursor }: Asked): Prisma.Sql {
  const allowed = Prisma.sql`a.workspace_id = ${workspaceId}::uuid and a.kind = any(${CONNECTION_AUDIT_KINDS}::text[])`;
  const after = isUuid(cursor)
    ? Prisma.sql`and not exists (
        select from audit_entries a where a.id = ${cursor}::uuid and ${allowed}
          and (e.created_at, e.id) >= (a.created_at, a.id))`
    : Prisma.empty;
  return Prisma.sql`
    select e.id, e.kind, e.created_at as "createdAt", e.user_name as "userName", e.data,
      case when u.id is not null and u.deleted_at is null then u.name else c.teammate_name end as "teammateName"
    from (
      select a.* from audit_entries a where ${allowed}
    ) e
    left join connections c on c.id = e.connection_id
    left join users u on u.id = c.user_id
    where true ${after}
    order by e.created_at desc, e.id desc limit ${PAGE_ITEMS + 1}::int`;
}
