import { type NewEvent, recordEvents } from '#server/contract/record-events.ts';
import type { ConversationRecord } from '#server/contract/record-schemas.ts';
import type { Tx } from '#server/core/database/db.ts';
import type { Change, ConversationEvent } from '#server/inbox/conversations/changes.ts';
import { getConversationRecord } from '#server/inbox/conversations/conversation-record.ts';
import type { LockedConversation } from '#server/inbox/conversations/lock-conversation.ts';
import { writeChangeRows } from '#server/inbox/conversations/persist-change.ts';
import type { Actor } from '#server/teammates/actor.ts';

/**
 * Writes what was decided about a locked conversation: its columns, timeline, time limits and notifications, then
 * the events with the conversation as it now is. `updated_at` moves, and open pages are notified. Conversations from
 * testing the AI agent fire no events (spec.md §6).
 * @returns the record as the events have it; undefined when there are none
 */
export async function writeChange(
  tx: Tx,
  conversation: LockedConversation,
  { actor, change, now }: { actor: Actor; change: Change; now: Date },
): Promise<ConversationRecord | undefined> {
  const { id, workspaceId } = conversation;
  await writeChangeRows(tx, conversation, { actor, change, now });
  if (conversation.isTest || change.events.length === 0) return undefined;
  const record = await getConversationRecord(tx, { workspaceId, conversationId: id });
  await recordEvents(tx, { workspaceId, events: eventsWith(record, change.events), now });
  return record;
}

/** The events of a change with the conversation as it left it. */
export function eventsWith(conversation: ConversationRecord, events: ConversationEvent[]): NewEvent[] {
  // The events of one key have one payload; the compiler loses sight of that when they are mixed.
  return events.map(
    ({ details, ...rest }) => ({ ...rest, payload: { conversation, ...details } }) as NewEvent,
  );
}
