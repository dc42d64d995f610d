import { validate as isUuid } from 'uuid';
import type { EventKey } from '#server/contract/event-catalogue.ts';
import { type LogCursor, parseCursor, writeCursor } from '#server/core/cursor.ts';
import type { ReadDb } from '#server/core/database/batch-reads.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { readDeliveryRows, UNDELIVERED_STATE } from '#server/screens/integrations/delivery-rows.ts';
import type { DeliveryPage, OutcomeFilter } from '#server/screens/integrations/views.ts';

const PAGE_ROWS = 50;

export type LogFilter = {
  hookId?: string | undefined;
  event?: EventKey | undefined;
  outcome?: OutcomeFilter | undefined;
  /** Inclusive. */
  since?: Date | undefined;
  /** Exclusive. */
  until?: Date | undefined;
};

/**
 * Returns a page of a workspace's delivery log, newest first. One query, which uses an index for every
 * filter: undelivered deliveries by state, those of a workflow or event by hook, all others by time.
 * @param cursor an invalid cursor starts at the newest
 */
export async function listDeliveries(
  db: ReadDb,
  { workspaceId, cursor, ...filter }: LogFilter & { workspaceId: string; cursor?: string | undefined },
): Promise<DeliveryPage> {
  if (filter.hookId !== undefined && !isUuid(filter.hookId)) return { rows: [], older: null };
  const found = await readDeliveryRows(db, selectPage(workspaceId, filter, parseCursor(cursor)));
  const page = found.slice(0, PAGE_ROWS);
  const last = page.at(-1);
  return {
    rows: page.map(({ row }) => row),
    older:
      last && found.length > PAGE_ROWS ? writeCursor({ micros: last.createdMicros, id: last.row.id }) : null,
  };
}

/** Returns SQL for the deliveries of a page and one more, by the most direct index. */
function selectPage(workspaceId: string, filter: LogFilter, cursor: LogCursor | null): Prisma.Sql {
  const { hookId, event, outcome = 'all' } = filter;
  const undelivered = outcome !== 'all' && outcome !== 'delivered';
  const hooks = Prisma.sql`select id from hooks where ${and([
    Prisma.sql`workspace_id = ${workspaceId}::uuid and connection_id is not null`,
    ...(hookId === undefined ? [] : [Prisma.sql`id = ${hookId}::uuid`]),
    ...(event === undefined ? [] : [Prisma.sql`event = ${event}`]),
  ])}`;
  const narrowed = hookId !== undefined || event !== undefined;
  const newest = Prisma.sql`order by d.created_at desc, d.id desc limit ${PAGE_ROWS + 1}::int`;
  const within = [
    ...(filter.since ? [Prisma.sql`d.created_at >= ${filter.since}`] : []),
    ...(filter.until ? [Prisma.sql`d.created_at < ${filter.until}`] : []),
    ...(cursor
      ? [
          Prisma.sql`(d.created_at, d.id) <
            (timestamptz 'epoch' + ${cursor.micros}::bigint * interval '1 microsecond', ${cursor.id}::uuid)`,
        ]
      : []),
    ...(undelivered
      ? [
          Prisma.sql`d.outcome is distinct from 'delivered'`,
          Prisma.sql`${Prisma.raw(UNDELIVERED_STATE)} = ${outcome}`,
        ]
      : []),
    ...(outcome === 'delivered' ? [Prisma.sql`d.outcome = 'delivered'`] : []),
  ];
  // The newest of each hook, then the newest of all. For a workflow that rarely runs, the workspace's
  // index would be scanned almost completely.
  const ofHook = Prisma.sql`select * from deliveries d where ${and([Prisma.sql`d.hook_id = h.id`, ...within])} ${newest}`;
  const byHook = Prisma.sql`select d.* from (${hooks}) h cross join lateral (${ofHook}) d`;
  if (narrowed && !undelivered) return Prisma.sql`${byHook} ${newest}`;
  const ofWorkspace = [Prisma.sql`d.workspace_id = ${workspaceId}::uuid`, ...within];
  if (undelivered) {
    const ofConnections = Prisma.sql`not exists (select from hooks h where h.id = d.hook_id and h.connection_id is null)`;
    const among = narrowed ? Prisma.sql`d.hook_id in (${hooks})` : ofConnections;
    return Prisma.sql`select * from deliveries d where ${and([...ofWorkspace, among])} ${newest}`;
  }
  // Webhook endpoints, which have a log of their own, may have most deliveries of a workspace.
  const hasEndpoints = Prisma.sql`exists (
    select from hooks where workspace_id = ${workspaceId}::uuid and connection_id is null)`;
  return Prisma.sql`select * from (
    (select * from deliveries d where ${and([...ofWorkspace, Prisma.sql`not ${hasEndpoints}`])} ${newest})
    union all
    (${byHook} where ${hasEndpoints} ${newest})) d ${newest}`;
}

function and(conditions: Prisma.Sql[]): Prisma.Sql {
  return Prisma.join(conditions, ' and ');
}
