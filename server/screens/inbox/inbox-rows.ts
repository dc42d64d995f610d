import { ask, type ReadDb, read } from '#server/core/database/reads.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import {
  CONVERSATION_ROW_COLUMNS,
  CONVERSATION_ROW_JOINS,
  type ConversationRowColumns,
  conversationRow,
} from '#server/screens/inbox/conversation-row.ts';
import type { InboxRow } from '#server/screens/inbox/views.ts';

/** A row of `inboxRowsOf` as JSON. */
export type InboxRowColumns = ConversationRowColumns & { tags: string[]; dueAt: string | null };

/**
 * The statement of rows of the inbox.
 * @param places a statement of `id` and `place`, by which they are ordered, few of them
 * @param more further columns, of `places p`
 */
export function inboxRowsOf(places: Prisma.Sql, more = Prisma.empty): Prisma.Sql {
  return Prisma.sql`
    with places as materialized (${places})
    select ${CONVERSATION_ROW_COLUMNS},
      array(select g.name from conversation_tags g where g.conversation_id = c.id
        order by g.created_at, g.position, g.key) as tags,
      (select s.due_at from sla_clocks s
        where s.conversation_id = c.id and s.stopped_at is null and s.paused_at is null
        order by s.due_at limit 1) as "dueAt"${more}
    from places p cross join lateral (select * from conversations where id = p.id limit 1) c
    ${CONVERSATION_ROW_JOINS}
    order by p.place`;
}

/** A conversation as the inbox shows it. */
export function inboxRow({ tags, dueAt, ...row }: InboxRowColumns): InboxRow {
  return { ...conversationRow(row), tags, dueAt: dueAt === null ? null : new Date(dueAt) };
}

/** The conversations of these ids as the inbox shows them, in this order; one round trip. */
export async function inboxRows(
  db: ReadDb,
  { workspaceId, ids }: { workspaceId: string; ids: string[] },
): Promise<InboxRow[]> {
  if (ids.length === 0) return [];
  const places = Prisma.sql`
    select c.id, given.place from unnest(${ids}::uuid[]) with ordinality given(id, place)
    join conversations c on c.id = given.id where c.workspace_id = ${workspaceId}::uuid`;
  return ask(
    db,
    read(inboxRowsOf(places), (rows: InboxRowColumns[]) => rows.map(inboxRow)),
  );
}
