import { findOrCreateSender, type Sender } from '#server/contacts/find-or-create-contact.ts';
import { isForeignKeyViolation, isUniqueViolation } from '#server/core/database/errors.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { sqlTransaction } from '#server/core/database/sql-transaction.ts';
import { type Change, changeOf, setStatus } from '#server/inbox/conversations/changes.ts';
import {
  type LockedConversation,
  lockTargetConversation,
} from '#server/inbox/conversations/lock-conversation.ts';
import { startConversation } from '#server/inbox/conversations/start-conversation.ts';
import { addTimelineEntries } from '#server/inbox/conversations/timeline.ts';
import { runStartFlows } from '#server/inbox/flows/run-start-flows.ts';
import { addReceivedMessage } from '#server/inbox/messages/add-received-message.ts';
import { findTarget } from '#server/inbox/messages/find-target.ts';
import {
  findReceived,
  fitIncoming,
  type IncomingMessage,
  isQuiet,
  type Place,
  type Received,
  type Target,
  type ThreadReason,
} from '#server/inbox/messages/incoming-message.ts';

/** Receives a message of a contact once: a repeated message changes nothing. */
export async function receiveOnce(message: IncomingMessage, place: Place): Promise<Received> {
  return (await findReceived(message)) ?? receiveNew(message, place);
}

/** Receives a message that was not received yet. */
export function receiveNew(message: IncomingMessage, place: Place): Promise<Received> {
  return receiveWithin(message, async (tx) =>
    receiveMessage(tx, message, await findTarget(tx, message, place)),
  );
}

/**
 * Runs the transaction that receives a message. If a parallel call receives it first, returns that one's message.
 * @param receive calls `receiveMessage`. It runs again if another transaction interferes
 */
export async function receiveWithin(
  message: Pick<IncomingMessage, 'workspaceId' | 'externalId'>,
  receive: (tx: SqlDb) => Promise<Received>,
): Promise<Received> {
  for (let isFirstTry = true; ; isFirstTry = false) {
    try {
      return await sqlTransaction(receive);
    } catch (error) {
      // The contact was merged into another one after it was found: the second try finds the other one.
      if (isFirstTry && isForeignKeyViolation(error)) continue;
      // A parallel call received the same message first: the unique index rolled this transaction back.
      const received = isUniqueViolation(error) ? await findReceived(message) : undefined;
      if (received) return received;
      throw error;
    }
  }
}

/**
 * Receives a message of a contact on any channel (docs/rulings.md 3.3). Adds the message to its conversation or merge
 * target, and reopens that if pending or solved. Starts a new conversation if there is none or it is closed, deleted or
 * anonymized; a second answer to such a one joins the new conversation.
 * Notifies the assignee and queues the AI agent's answer. A message to a spam conversation notifies no one and emits no
 * event. Content is never refused, but cleaned and truncated. The target is found in the same transaction, before any
 * conversation is locked.
 *
 * Emits `contact.created` (new contact), `conversation.created` or `conversation.status_changed` (reopened),
 * `message.received`, then the events of the flows of a new conversation.
 * @throws Refusal when the conversation does not exist, or a stored file no longer exists
 */
export async function receiveMessage(
  tx: SqlDb,
  incoming: IncomingMessage,
  target: Target,
): Promise<Received> {
  const message = fitIncoming(incoming);
  const { workspaceId } = message;
  if (target.conversationId === null) return receiveIntoNew(tx, message, target);
  const { conversation, known } = await lockTargetConversation(tx, {
    workspaceId,
    id: target.conversationId,
  });
  const quiet = isQuiet(message);
  const now = new Date();
  // Messages of a spam conversation stay there, in any status (docs/rulings.md 3.34).
  const isSpam = conversation.removal === 'spam';
  const isFinal = conversation.record.status === 'closed' && !quiet && !isSpam;
  if (isFinal || conversation.removal === 'deleted' || conversation.isAnonymized) {
    const contactId = known.contactId ?? conversation.record.contact?.id ?? null;
    const next = target.isOther ? null : await findNext(tx, message, { contactId, endedId: conversation.id });
    if (next !== null) {
      return receiveMessage(tx, becauseOf(message, 'continues'), { ...target, conversationId: next });
    }
    const contact = target.isOther ? target.contact : senderOfNext(target.contact, contactId);
    return receiveIntoNew(
      tx,
      { ...becauseOf(message, 'ended'), isTest: conversation.isTest },
      { ...target, contact },
    );
  }
  const actor = { kind: 'automatic' } as const;
  const change =
    quiet || isSpam ? changeOf() : reopen(conversation, { isOther: target.isOther === true, now });
  const { contact } = target;
  const isMerged = conversation.id !== target.conversationId.toLowerCase();
  return addReceivedMessage(tx, conversation, {
    message,
    contact,
    isNew: false,
    isMerged,
    actor,
    change,
    now,
  });
}

function becauseOf(message: IncomingMessage, threadReason: ThreadReason): IncomingMessage {
  const { mail } = message;
  return mail ? { ...message, mail: { ...mail, threadReason } } : message;
}

/**
 * Returns the conversation that an earlier answer of the contact to an ended one has started, if it still takes messages; null if there is
 * none. Until somebody replies in the new conversation, the contact's emails answer messages of the ended one, with the same subject.
 * Messages on other channels belong to the newest conversation of their thread. Ids are in the order of creation, so the ended
 * conversation is locked before this one, as in a merge.
 */
async function findNext(
  tx: SqlDb,
  { workspaceId, mail, subject = null }: IncomingMessage,
  { contactId, endedId }: { contactId: string | null; endedId: string },
): Promise<string | null> {
  if (!mail || contactId === null) return null;
  const [next] = await tx.$queryRaw<{ id: string }[]>`
    select c.id from conversations c
    where c.workspace_id = ${workspaceId}::uuid and c.contact_id = ${contactId}::uuid and c.channel = 'email'
      and c.subject is not distinct from ${subject}::text and c.status <> 'closed' and c.removal is null
      and c.merged_into_id is null and c.id > ${endedId}::uuid and exists (
        select from messages m where m.conversation_id = c.id and m.thread_reason = 'ended')
    order by c.created_at desc limit 1`;
  return next?.id ?? null;
}

/** Reopens a pending or solved conversation. The thread shows the end of a snooze like `endSnoozes` does. */
function reopen(
  { record, snoozedUntil }: LockedConversation,
  { isOther, now }: { isOther: boolean; now: Date },
): Change {
  const because = isOther ? 'other_wrote' : 'contact_wrote';
  const change = setStatus(record, { status: 'open', now, because });
  return snoozedUntil === null ? change : { ...change, entries: [{ kind: 'snooze_ended', data: {} }] };
}

/**
 * Returns the sender of the conversation that follows a closed one: the contact known to the channel, else the contact of
 * the sender's conversation, even if it was merged into another contact's.
 */
function senderOfNext(sender: Sender, contactId: string | null): Sender {
  return 'id' in sender || contactId === null ? sender : { id: contactId };
}

async function receiveIntoNew(
  tx: SqlDb,
  message: IncomingMessage,
  { contact, contactClaimed }: Target,
): Promise<Received> {
  const { workspaceId, isTest = false } = message;
  const now = new Date();
  const actor = { kind: 'contact' } as const;
  const contactId = await findOrCreateSender(tx, { workspaceId, writer: contact, isTest, now });
  const quiet = isQuiet(message);
  const draft = { ...message, contactId, contactClaimed, isWaiting: !quiet };
  const conversation = await startConversation(tx, draft, now);
  // Before the message: the thread sorts by timestamp, then by id.
  const at = { workspaceId, conversationId: conversation.id, actor, now };
  await addTimelineEntries(tx, { ...at, entries: [{ kind: 'created', data: {} }] });
  const change = changeOf({
    events: [{ key: 'conversation.created', details: {} }],
    // Automatic messages and tests need no response.
    clocks: isTest || quiet ? [] : ['start'],
  });
  const received = await addReceivedMessage(tx, conversation, {
    message,
    contact,
    isNew: true,
    isMerged: false,
    actor,
    change,
    now,
  });
  const text = `${message.subject ?? ''}\n${message.content}`;
  const { messageId } = received;
  if (!isTest && !quiet) await runStartFlows(tx, conversation, { messageId, text, now });
  return received;
}
