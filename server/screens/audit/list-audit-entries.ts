import { validate as isUuid } from 'uuid';
import { type ReadDb, runRead } from '#server/core/database/batch-reads.ts';
import { settings } from '#server/core/env.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { type AuditTopic, auditKindsOf, auditSentence } from '#server/screens/audit/audit-sentences.ts';
import type { AuditEntryView, HistoryPage } from '#server/screens/integrations/views.ts';

const PAGE_ITEMS = 30;

/** Which entries of the audit log to list. Dates are days in UTC (`2026-11-28`), both inclusive. */
export type AuditFilter = {
  /** All subjects if empty. */
  topics: AuditTopic[];
  /** Part of the author's name, ignoring case. */
  person?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
};

type PageRequest = { workspaceId: string; cursor?: string | undefined; filter: AuditFilter; limit?: number };

/**
 * Returns a page of a workspace's audit log, newest first.
 * @param request.cursor an invalid cursor starts at the newest
 */
export function listAuditEntries(db: ReadDb, request: PageRequest): Promise<HistoryPage<AuditEntryView>> {
  const { limit = PAGE_ITEMS } = request;
  return runRead(db, statement({ ...request, limit }), (rows: Row[]) => {
    const page = rows.slice(0, limit);
    const { PLATFORM_NAME: platformName } = settings();
    return {
      items: page.map(({ id, kind, createdAt, userName, data, teammateName }) => ({
        id,
        at: new Date(createdAt),
        by: userName,
        kind,
        sentence: auditSentence(kind, { by: userName, teammateName, data, platformName }),
      })),
      older: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
    };
  });
}

/** A row of `statement` as JSON. `teammateName`: the teammate who connected. */
type Row = {
  id: string;
  kind: string;
  createdAt: string;
  userName: string | null;
  data: Record<string, unknown>;
  teammateName: string | null;
};

/** Returns SQL for the rows of a page and one more. */
function statement({ workspaceId, cursor, filter, limit }: PageRequest & { limit: number }): Prisma.Sql {
  const { topics, person, from, to } = filter;
  const conditions = [
    Prisma.sql`a.workspace_id = ${workspaceId}::uuid`,
    ...(topics.length > 0 ? [Prisma.sql`a.kind = any(${auditKindsOf(topics)}::text[])`] : []),
    ...(person ? [Prisma.sql`position(lower(${person}::text) in lower(a.user_name)) > 0`] : []),
    ...(from ? [Prisma.sql`a.created_at >= ${from}::date at time zone 'UTC'`] : []),
    ...(to ? [Prisma.sql`a.created_at < (${to}::date + 1) at time zone 'UTC'`] : []),
    ...(isUuid(cursor)
      ? [
          Prisma.sql`not exists (
            select from audit_entries p where p.id = ${cursor}::uuid and p.workspace_id = a.workspace_id
              and (a.created_at, a.id) >= (p.created_at, p.id))`,
        ]
      : []),
  ];
  return Prisma.sql`
    select e.id, e.kind, e.created_at as "createdAt", e.user_name as "userName", e.data,
      case when u.id is not null and u.deleted_at is null then u.name else c.teammate_name end as "teammateName"
    from (
      select a.* from audit_entries a where ${Prisma.join(conditions, ' and ')}
      order by a.created_at desc, a.id desc limit ${limit + 1}::int
    ) e
    left join connections c on c.id = e.connection_id
    left join users u on u.id = c.user_id
    order by e.created_at desc, e.id desc`;
}
