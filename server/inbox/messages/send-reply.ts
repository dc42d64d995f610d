import type { ReplyRecord } from '#server/contract/record-schemas.ts';
import { inTransaction } from '#server/core/database/db.ts';
import type { SendOutcome } from '#server/inbox/channels/outgoing-message.ts';
import { replyRecord } from '#server/inbox/messages/reply-record.ts';
import type { SavedMessage } from '#server/inbox/messages/save-outgoing-message.ts';
import { type NewReply, saveReply } from '#server/inbox/messages/save-reply.ts';
import { sendMessage } from '#server/inbox/messages/send-message.ts';

/**
 * Replies to a contact on the conversation's own channel, at once: saved and committed first, then sent, ten seconds at
 * most. Takes an unassigned conversation when the workspace assigns on reply (then emits `conversation.assigned`), ends
 * the wait for a first response once it was sent, and keeps the AI agent out from now on. The status stays (spec.md
 * §4.2, POST replies; decisions: conversations and contacts, 8 and 9).
 * @throws Refusal when the author may not reply any more, there is no such conversation or it was merged
 */
export async function sendReply(given: NewReply): Promise<ReplyRecord> {
  const saved = await inTransaction((tx) => saveReply(tx, { ...given, sends: 'caller' }));
  const outcome =
    saved.sendStatus === 'sending' ? await sendMessage(saved.id, { notifies: false }) : undefined;
  return replyRecord({ ...saved, ...reported(saved, outcome) });
}

/** What the response says of the sending: what the channel said, else the message's own state. */
function reported({ sendStatus }: SavedMessage, outcome: SendOutcome | undefined) {
  if (!outcome) return { sendStatus, deliveryError: null };
  if (outcome.status === 'deferred') return { sendStatus: null, deliveryError: null };
  if (outcome.status === 'failed') return { sendStatus: 'failed' as const, deliveryError: outcome.reason };
  return { sendStatus: outcome.status === 'sent' ? ('sent' as const) : null, deliveryError: null };
}
