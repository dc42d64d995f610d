import { validate as isUuid } from 'uuid';
import { z } from 'zod';
import { explainEnd } from '#server/automation/connections/explain-end.ts';
import { type ReadDb, runRead } from '#server/core/database/batch-reads.ts';
import { settings } from '#server/core/env.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { ConnectionEnd } from '#server/generated/prisma/enums.ts';
import type { AuditEntryView, HistoryPage } from '#server/screens/integrations/views.ts';
import type { AuditKind, TeamAuditKind } from '#server/teammates/audit-log.ts';

const PAGE_ITEMS = 30;

type PageRequest = { workspaceId: string; cursor?: string | undefined };

/**
 * Returns a page of the audit entries about a workspace's connections, newest first: approved, refused,
 * disconnected and ended, with reasons.
 * @param request.cursor an invalid cursor starts at the newest
 */
export function listAuditEntries(db: ReadDb, request: PageRequest): Promise<HistoryPage<AuditEntryView>> {
  return runRead(db, statement(request), auditPage);
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

/** A row of `statement` as JSON. `teammateName`: the teammate who connected. */
type Row = {
  id: string;
  kind: string;
  createdAt: string;
  userName: string | null;
  data: unknown;
  teammateName: string | null;
};

/** Returns SQL for the rows of a page and one more. */
function statement({ workspaceId, cursor }: PageRequest): Prisma.Sql {
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

/** Kinds of entries about connections and their events. */
type ConnectionAuditKind = Exclude<AuditKind, TeamAuditKind>;

/** Values for the sentence of an entry. `by`: the author; `teammateName`: the teammate who connected. */
type AuditFacts = {
  by: string | null;
  teammateName: string | null;
  data: unknown;
  platformName: string;
};

/** Reason of a refused approval, as `approve` records it. */
const REFUSALS = z.object({ reason: z.enum(['role', 'slots']) });
const ENDS = z.object({ reason: z.enum(ConnectionEnd) });
const NAME = z.object({ name: z.string() });
const LABEL = z.object({ label: z.string() });
const COUNT = z.object({ events: z.string() });

const SENTENCES: Record<ConnectionAuditKind, (facts: AuditFacts) => string> = {
  connection_made: ({ by, platformName }) => `${nameOf(by)} approved a connection to ${platformName}.`,
  connection_refused: refused,
  connection_ended: ended,
  api_token_created: ({ by, data }) => `${nameOf(by)} created the API token ${tokenIn(data)}.`,
  api_token_revoked: ({ by, data }) => `${nameOf(by)} revoked the API token ${tokenIn(data)}.`,
  webhook_created: ({ by, data }) => `${nameOf(by)} created the webhook endpoint ${urlIn(data)}.`,
  webhook_changed: ({ by, data }) => `${nameOf(by)} changed the webhook endpoint ${urlIn(data)}.`,
  webhook_deleted: ({ by, data }) => `${nameOf(by)} deleted the webhook endpoint ${urlIn(data)}.`,
  webhook_secret_rotated: ({ by, data }) =>
    `${nameOf(by)} rotated the secret of the webhook endpoint ${urlIn(data)}.`,
  webhook_replayed: ({ by, data }) => `${nameOf(by)} replayed events to the webhook endpoint ${urlIn(data)}.`,
  integration_added: ({ by, data }) => `${nameOf(by)} added the integration ${integrationIn(data)}.`,
  integration_removed: ({ by, data }) => `${nameOf(by)} removed the integration ${integrationIn(data)}.`,
  event_redelivered: ({ by }) => `${nameOf(by)} redelivered an event.`,
  failed_events_redelivered: ({ by, data }) => {
    const count = COUNT.safeParse(data).data?.events;
    return `${nameOf(by)} redelivered ${count === '1' ? 'one failed event' : `${count ?? 'the'} failed events`}.`;
  },
};

const CONNECTION_AUDIT_KINDS = Object.keys(SENTENCES);

/**
 * Returns the sentence of an audit entry; null for a kind that this list excludes or this version does not
 * know.
 */
function auditSentence(kind: string, facts: AuditFacts): string | null {
  return isOfConnections(kind) ? SENTENCES[kind](facts) : null;
}

function refused({ by, data, platformName }: AuditFacts): string {
  const attempt = `${nameOf(by)} tried to connect ${platformName} and was refused`;
  switch (REFUSALS.safeParse(data).data?.reason) {
    case 'role':
      return `${attempt}: only owners and admins can connect.`;
    case 'slots':
      return `${attempt}: no integration slot was free.`;
    case undefined:
      return `${attempt}.`;
  }
}

function ended({ by, teammateName, data, platformName }: AuditFacts): string {
  const teammate = teammateName ?? 'a teammate';
  const reason = ENDS.safeParse(data).data?.reason;
  if (reason === 'disconnected') return `${nameOf(by)} disconnected ${teammate}’s connection.`;
  if (reason === 'revoked_by_platform')
    return `${teammateName ?? 'A teammate'}’s connection was disconnected in ${platformName}.`;
  const why = reason ? ` ${explainEnd(reason, { platformName, teammateName: teammate }).why}` : '';
  return `${teammateName ?? 'A teammate'}’s connection ended.${why}`;
}

function integrationIn(data: unknown): string {
  return NAME.safeParse(data).data?.name ?? 'of another kind';
}

function tokenIn(data: unknown): string {
  const label = LABEL.safeParse(data).data?.label;
  return label === undefined ? 'of a program' : `“${label}”`;
}

function nameOf(by: string | null): string {
  return by ?? 'Someone';
}

function isOfConnections(kind: string): kind is ConnectionAuditKind {
  return kind in SENTENCES;
}

const endpoint = z.object({ url: z.string() });

function urlIn(data: unknown): string {
  return endpoint.safeParse(data).data?.url ?? '';
}
