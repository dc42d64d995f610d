import { type NewEvent, programListens, recordEvents } from '#server/contract/record-events.ts';
import type { ConversationRecord } from '#server/contract/record-schemas.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import {
  CONVERSATION_COLUMNS,
  CONVERSATION_JOINS,
  type ConversationColumns,
  conversationRecord,
} from '#server/inbox/conversations/conversation-record.ts';
import { type Actor, causeOf } from '#server/teammates/actor.ts';

/** Maximum number of records in memory. */
const BATCH = 200;

/**
 * Records an event, which only programs get, for each of many changed conversations. Does nothing if no program gets the
 * events of the workspace. Leaves out test, merged, spam and deleted conversations.
 */
export async function recordForMany(
  tx: SqlDb,
  changed: {
    workspaceId: string;
    ids: string[];
    actor: Actor;
    now: Date;
    eventOf: (conversation: ConversationRecord) => NewEvent;
  },
): Promise<void> {
  const { workspaceId, ids, actor, now, eventOf } = changed;
  for (let start = 0; start < ids.length; start += BATCH) {
    const rows = await tx.$queryRaw<ConversationColumns[]>`
      select ${CONVERSATION_COLUMNS} from conversations c ${CONVERSATION_JOINS}
      where c.workspace_id = ${workspaceId}::uuid and c.id = any (${ids.slice(start, start + BATCH)}::uuid[])
        and not c.is_test and c.removal is null and c.merged_into_id is null and ${programListens(workspaceId)}
      order by c.id`;
    const events = rows.map((row) => eventOf(conversationRecord(row)));
    if (events.length === 0) continue;
    await recordEvents(tx, { workspaceId, events, cause: causeOf(actor), now });
  }
}
