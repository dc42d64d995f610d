import type { ConversationRecord } from '#server/contract/record-schemas.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { sqlTransaction } from '#server/core/database/sql-transaction.ts';
import { invalid, notFound, Refusal } from '#server/core/errors.ts';
import { jobRow } from '#server/core/jobs/outbox.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { ConversationStatus, Removal } from '#server/generated/prisma/enums.ts';
import { type Change, changeOf } from '#server/inbox/conversations/changes.ts';
import {
  type LockedConversation,
  lockConversation,
  refuseReadOnly,
} from '#server/inbox/conversations/lock-conversation.ts';
import { persistChange } from '#server/inbox/conversations/persist-change.ts';
import type { ClockChange } from '#server/inbox/conversations/sla-clocks.ts';
import type { Actor } from '#server/teammates/actor.ts';

/** Days for which a deleted conversation can be restored. */
export const RESTORE_DAYS = 30;

type Which = { workspaceId: string; id: string; actor: Actor };

/**
 * Marks a conversation as spam or deletes it. It leaves the inbox, the API answers 404 for it, and it emits no more events
 * (docs/rulings.md 3.34) after `conversation.deleted`, which only programs get. A job cancels those that are not delivered yet. Its SLA clocks stop. Its notifications, and those
 * of conversations that were merged into it, are marked as read. Spam can be deleted, too.
 * @throws Refusal when the conversation does not exist, was merged, or is deleted
 */
export function removeConversation(removal: Removing): Promise<void> {
  return sqlTransaction((tx) => removeIn(tx, removal));
}

type Removing = Which & { to: Removal };

/** Removes a conversation, as `removeConversation` does, in a transaction of the caller. */
export async function removeIn(tx: SqlDb, { to, ...which }: Removing): Promise<void> {
  const now = new Date();
  const conversation = await lockConversation(tx, which);
  await persistChange(tx, conversation, {
    actor: which.actor,
    change: remove(conversation, { to, now }),
    now,
  });
}

/**
 * Returns a spam or deleted conversation to the inbox, with the status that it had. Emits no event. Does nothing for a
 * conversation that is in the inbox.
 * @throws Refusal when the conversation does not exist, is being erased, is not in the view `from`, or was deleted too long ago
 */
export async function restoreConversation({ from, ...which }: Which & { from: Removal }): Promise<void> {
  const now = new Date();
  await sqlTransaction(async (tx) => {
    const conversation = await lockConversation(tx, which);
    if (conversation.removal === null) return;
    if (conversation.isTest) throw notFound('The conversation');
    if (conversation.removal !== from) refuseReadOnly(conversation);
    if (await isPastRestoring(tx, conversation.id)) throw new Refusal('not_found', TOO_LATE);
    await persistChange(tx, conversation, {
      actor: which.actor,
      change: restore(conversation.record, conversation.removal),
      now,
    });
  });
}

/** Condition on `conversations`: the conversation was deleted so long ago that it is removed for good. */
export const IS_PAST_RESTORING = `removal = 'deleted' and removed_at <= now() - interval '${RESTORE_DAYS} days'`;

async function isPastRestoring(tx: SqlDb, id: string): Promise<boolean> {
  const found = await tx.$queryRaw<unknown[]>`
    select 1 from conversations where id = ${id}::uuid and ${Prisma.raw(IS_PAST_RESTORING)}`;
  return found.length > 0;
}

const NOT_FOR_TESTS = 'Conversations from testing the AI agent are deleted automatically.';
const TOO_LATE = `Too late to restore. Conversations are removed for good ${RESTORE_DAYS} days after they are deleted.`;

/** Returns the change of `removeConversation`. */
export function remove(conversation: LockedConversation, { to, now }: { to: Removal; now: Date }): Change {
  const { workspaceId, id, removal } = conversation;
  if (removal === to) return changeOf();
  refuseReadOnly(to === 'deleted' && removal === 'spam' ? { ...conversation, removal: null } : conversation);
  if (conversation.isTest) throw invalid({ conversation: [NOT_FOR_TESTS] });
  return changeOf({
    columns: { removal: to, removedAt: now },
    entries: [{ kind: to === 'spam' ? 'marked_spam' : 'deleted', data: {} }],
    events: [{ key: 'conversation.deleted', details: { conversation_id: id, reason: to } }],
    clocks: ['stop'],
    jobs: [jobRow('cancel-events', { workspaceId, conversationId: id })],
    rows: [
      Prisma.sql`update notifications set read_at = ${now}::timestamptz
        where read_at is null and conversation_id in (
          select id from conversations
          where workspace_id = ${workspaceId}::uuid and (id = ${id}::uuid or merged_into_id = ${id}::uuid))`,
    ],
  });
}

/** Changes of the SLA clocks when a conversation with this status returns to the inbox. */
export const CLOCKS_ON_RETURN: Record<ConversationStatus, ClockChange[]> = {
  open: ['resume', 'resume_first_response'],
  pending: ['pause', 'resume_first_response'],
  solved: [],
  closed: [],
};

/** Returns the change of `restoreConversation`. */
export function restore({ status }: ConversationRecord, removal: Removal): Change {
  return changeOf({
    columns: { removal: null, removedAt: null },
    entries: [{ kind: 'restored', data: { from: removal } }],
    clocks: CLOCKS_ON_RETURN[status],
  });
}
