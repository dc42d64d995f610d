import { type NewEvent, recordEvents } from '#server/contract/record-events.ts';
import type { ConversationRecord } from '#server/contract/record-schemas.ts';
import { isConflict, type Tx } from '#server/core/database/db.ts';
import { prepared } from '#server/core/database/prepared.ts';
import type { Change, ConversationEvent } from '#server/inbox/conversations/changes.ts';
import {
  findTags,
  getConversationRecord,
  type KnownConversation,
  recordAfter,
  type SeenConversation,
  seeConversation,
} from '#server/inbox/conversations/conversation-record.ts';
import {
  type LockedConversation,
  refuseMerged,
  type Which,
  withLockedConversation,
} from '#server/inbox/conversations/lock-conversation.ts';
import { writeChangeRows } from '#server/inbox/conversations/persist-change.ts';
import type { Actor } from '#server/teammates/actor.ts';

type Decided = {
  actor: Actor;
  /** What becomes of the conversation as it is; undefined when it stays. It may be asked twice. */
  decide: (conversation: KnownConversation, now: Date) => Change | undefined;
};

/**
 * Changes one conversation in two round trips and without a transaction under way between them: it is seen, and what is decided
 * is written in one statement that holds to what was seen. When another change came between, it is decided again with the row
 * locked, in turn.
 * @returns its record as the change left it
 * @throws Refusal when there is no such conversation, it was merged into another one, or `decide` refuses
 */
export async function changeConversation(
  which: Which & { actor: Actor },
  decide: Decided['decide'],
): Promise<ConversationRecord> {
  const given = { actor: which.actor, decide };
  const seen = await seeConversation(prepared(), which);
  return (await changeAtOnce(refuseMerged(seen), given)) ?? changeInTurn(which, given);
}

/** Undefined when it must be done in turn: another change came between, or the record needs reading. */
async function changeAtOnce(
  seen: SeenConversation,
  { actor, decide }: Decided,
): Promise<ConversationRecord | undefined> {
  const now = new Date();
  const change = decide(seen, now);
  if (!change) return seen.record;
  const record = recordAfter(seen, change, now);
  if (!record || change.clocks.length > 1) return undefined;
  const events = seen.isTest ? [] : eventsWith(record, change.events);
  const given = { actor, change, now, version: seen.version, events };
  try {
    return (await writeChangeRows(prepared(), seen, given)) ? record : undefined;
  } catch (error) {
    if (isConflict(error)) return undefined;
    throw error;
  }
}

function changeInTurn(which: Which, { actor, decide }: Decided): Promise<ConversationRecord> {
  return withLockedConversation(which, async (tx, conversation) => {
    const now = new Date();
    const change = decide({ ...conversation, tags: await findTags(tx, conversation.id) }, now);
    const record = change && (await writeChange(tx, conversation, { actor, change, now }));
    return record ?? getConversationRecord(tx, { workspaceId: which.workspaceId, conversationId: which.id });
  });
}

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
function eventsWith(conversation: ConversationRecord, events: ConversationEvent[]): NewEvent[] {
  // The events of one key have one payload; the compiler loses sight of that when they are mixed.
  return events.map(
    ({ details, ...rest }) => ({ ...rest, payload: { conversation, ...details } }) as NewEvent,
  );
}
