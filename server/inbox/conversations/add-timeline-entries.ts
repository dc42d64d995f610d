import { v7 as uuidv7 } from 'uuid';
import type { Tx } from '#server/core/database/db.ts';
import { ALWAYS } from '#server/core/database/statement-parts.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { TimelineContent } from '#server/inbox/conversations/timeline.ts';
import { type Actor, actorColumns } from '#server/teammates/actor.ts';

type Entries = {
  workspaceId: string;
  conversationId: string;
  actor: Actor;
  entries: TimelineContent[];
  now: Date;
};

/** Adds to a conversation's timeline who did what, in the order given and in the transaction of the change. */
export async function addTimelineEntries(tx: Tx, given: Entries): Promise<void> {
  const rows = timelineRows(given);
  if (rows) await tx.$executeRaw(rows);
}

/**
 * The same as a statement, to be a part of a larger one; null when there are no entries.
 * @param when what must hold for them to be written
 */
export function timelineRows(
  { workspaceId, conversationId, actor, entries, now }: Entries,
  when: Prisma.Sql = ALWAYS,
): Prisma.Sql | null {
  if (entries.length === 0) return null;
  const { actorKind, actorId, actorName, connectionId } = actorColumns(actor);
  // Ids grow, so that entries of one moment stay in this order.
  const rows = JSON.stringify(entries.map(({ kind, data }) => ({ id: uuidv7(), kind, data })));
  return Prisma.sql`
    insert into timeline_entries
      (id, workspace_id, conversation_id, kind, actor_kind, actor_id, actor_name, connection_id, data, created_at)
    select e.id, ${workspaceId}::uuid, ${conversationId}::uuid, e.kind, ${actorKind}::actor_kind, ${actorId}::uuid,
      ${actorName}::text, ${connectionId}::uuid, e.data, ${now}::timestamptz
    from jsonb_to_recordset(${rows}::jsonb) as e (id uuid, kind text, data jsonb)
    where ${when}`;
}
