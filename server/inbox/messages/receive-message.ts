import { findSender, type Sender } from '#server/contacts/find-or-create-contact.ts';
import { isUniqueViolation } from '#server/core/database/errors.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { sqlTransaction } from '#server/core/database/sql-transaction.ts';
import { changeOf, setStatus } from '#server/inbox/conversations/changes.ts';
import { lockTargetConversation } from '#server/inbox/conversations/lock-conversation.ts';
import { startConversation } from '#server/inbox/conversations/start-conversation.ts';
import { addTimelineEntries } from '#server/inbox/conversations/timeline.ts';
import { runFlows } from '#server/inbox/flows/run-flows.ts';
import { addReceivedMessage } from '#server/inbox/messages/add-received-message.ts';
import {
  findReceived,
  fitIncoming,
  type IncomingMessage,
  isQuiet,
  type Place,
  type Received,
  type Target,
} from '#server/inbox/messages/incoming-message.ts';

/**
 * Receives a message of a contact on any channel: into its conversation, which it reopens when that was pending or solved;
 * into the one that it was merged into; or into a new one when there is none or it is closed (decisions: conversations and
 * contacts, 3). Notifies the assignee. Received again, also at the same time, it changes nothing. Emits `contact.created`
 * (someone new), then `conversation.created` or, when it reopened, `conversation.status_changed`, then
 * `message.received`, then the events of the flows of a new conversation. The AI agent answers it from a job. The content
 * is never refused: it is stored as far as it can be.
 * @throws Refusal when the workspace has no such conversation, the number of attachments is invalid, or a stored file no
 *   longer exists
 */
export async function receiveMessage(incoming: IncomingMessage, place: Place): Promise<Received> {
  const message = fitIncoming(incoming);
  const before = await findReceived(message);
  if (before) return before;
  try {
    return await sqlTransaction(async (tx) => {
      const target = await place.find(tx);
      const received = await receiveInto(tx, message, target);
      await place.settle(tx, target, received);
      return received;
    });
  } catch (error) {
    // Received twice at the same time: the unique index refused this one, and its transaction left nothing.
    const other = isUniqueViolation(error) ? await findReceived(message) : undefined;
    if (other) return other;
    throw error;
  }
}

async function receiveInto(tx: SqlDb, message: IncomingMessage, target: Target): Promise<Received> {
  const { workspaceId } = message;
  if (target.conversationId === null) return receiveIntoNew(tx, message, target);
  const { conversation, known } = await lockTargetConversation(tx, {
    workspaceId,
    id: target.conversationId,
  });
  const quiet = isQuiet(message);
  const now = new Date();
  if (conversation.record.status === 'closed' && !quiet) {
    const contactId = known.contactId ?? conversation.record.contact?.id ?? null;
    const contact = senderAfter(target.contact, contactId);
    return receiveIntoNew(tx, { ...message, isTest: conversation.isTest }, { ...target, contact });
  }
  // No one reopens it: the message does.
  const actor = { kind: 'automatic' } as const;
  const change = quiet ? changeOf() : setStatus(conversation.record, { status: 'open', now });
  const { contact } = target;
  return addReceivedMessage(tx, conversation, { message, contact, actor, change, now });
}

/**
 * Returns who starts the conversation after a closed one: the contact whom the channel knows, else the contact of the
 * conversation that the sender knows, even if it was merged into another contact's.
 */
function senderAfter(sender: Sender, contactId: string | null): Sender {
  return 'id' in sender || contactId === null ? sender : { id: contactId };
}

async function receiveIntoNew(
  tx: SqlDb,
  message: IncomingMessage,
  { contact, contactClaimed }: Target,
): Promise<Received> {
  const { workspaceId, isTest } = message;
  const now = new Date();
  const actor = { kind: 'contact' } as const;
  const contactId = await findSender(tx, { workspaceId, writer: contact, isTest, now });
  const conversation = await startConversation(tx, { ...message, contactId, contactClaimed }, now);
  // Written before the message: the thread orders by id what has the same timestamp.
  const at = { workspaceId, conversationId: conversation.id, actor, now };
  await addTimelineEntries(tx, { ...at, entries: [{ kind: 'created', data: {} }] });
  const quiet = isQuiet(message);
  const change = changeOf({
    events: [{ key: 'conversation.created', details: {} }],
    // No one waits for an answer to an automatic message or in a test.
    clocks: isTest || quiet ? [] : ['start'],
  });
  const received = await addReceivedMessage(tx, conversation, { message, contact, actor, change, now });
  const text = `${message.subject ?? ''}\n${message.content}`;
  if (!isTest && !quiet) await runFlows(tx, conversation, { text, now });
  return received;
}
