import { type ChannelIdentity, contactOfIdentity } from '#server/contacts/contact-of-identity.ts';
import type { Sender } from '#server/contacts/find-or-create-contact.ts';
import { inTransaction, type Tx } from '#server/core/database/db.ts';
import { isUniqueViolation } from '#server/core/database/is-unique-violation.ts';
import { changeOf, setStatus } from '#server/inbox/conversations/changes.ts';
import { lockWhereContactWrites } from '#server/inbox/conversations/lock-conversation.ts';
import { startConversation } from '#server/inbox/conversations/start-conversation.ts';
import { runFlows } from '#server/inbox/flows/run-flows.ts';
import { addReceivedMessage } from '#server/inbox/messages/add-received-message.ts';
import {
  findReceived,
  fitIncoming,
  type IncomingMessage,
  isQuiet,
  type Received,
} from '#server/inbox/messages/incoming-message.ts';

/**
 * Takes in what a contact wrote on any channel: into its conversation, which it reopens when it was pending or solved;
 * into the one it was merged into; or into a new one when there is none or it is closed (decisions: conversations and
 * contacts, 3). Notifies the assignee. Handed over again, also at once, it changes nothing. Emits `contact.created`
 * (someone new), then `conversation.created` or, when it reopened, `conversation.status_changed`, then
 * `message.received`, then what flows did to a new one. The AI agent answers it from a job. What was written is never
 * refused: it is kept as far as it can be.
 * @throws Refusal when the workspace has no such conversation, the number of attachments is none, or a stored file is
 * not there any more
 */
export async function receiveMessage(incoming: IncomingMessage): Promise<Received> {
  const message = fitIncoming(incoming);
  const before = await findReceived(message);
  if (before) return before;
  try {
    return await inTransaction(async (tx) => {
      const { memory, identity } = message;
      if (identity) return receiveInto(tx, await placeByIdentity(tx, message, identity));
      if (!memory) return receiveInto(tx, message);
      const received = await receiveInto(tx, { ...message, ...(await memory.load(tx)) });
      await memory.save(tx, received);
      return received;
    });
  } catch (error) {
    // Handed over twice at once: the unique index has let in the other one, and nothing is left of this.
    const other = isUniqueViolation(error) ? await findReceived(message) : undefined;
    if (other) return other;
    throw error;
  }
}

/** Whose it is, and where it goes: into the newest conversation of the thread, or a new one. */
async function placeByIdentity(
  tx: Tx,
  message: IncomingMessage,
  identity: ChannelIdentity,
): Promise<IncomingMessage> {
  const { workspaceId, channelAccountId = null, externalThreadId } = message;
  const contactId = await contactOfIdentity(tx, { workspaceId, identity, now: new Date() });
  const conversation =
    externalThreadId === null
      ? null
      : await tx.conversation.findFirst({
          where: { workspaceId, channelAccountId, externalThreadId },
          select: { id: true },
          orderBy: { createdAt: 'desc' },
        });
  return { ...message, contact: { id: contactId }, conversationId: conversation?.id ?? null };
}

async function receiveInto(tx: Tx, incoming: IncomingMessage): Promise<Received> {
  const { workspaceId, conversationId } = incoming;
  if (conversationId === null) return receiveIntoNew(tx, incoming);
  const { conversation, known } = await lockWhereContactWrites(tx, { workspaceId, id: conversationId });
  if (isQuiet(incoming)) {
    return addReceivedMessage(tx, conversation, {
      incoming,
      actor: { kind: 'automatic' },
      change: changeOf(),
      now: new Date(),
    });
  }
  if (conversation.status === 'closed') {
    const contact = writerAfter(incoming.contact, known.contactId ?? conversation.contactId);
    return receiveIntoNew(tx, { ...incoming, contact, isTest: conversation.isTest });
  }
  const now = new Date();
  // No one reopens it: the message does.
  const change = setStatus(conversation, { status: 'open', now });
  return addReceivedMessage(tx, conversation, { incoming, actor: { kind: 'automatic' }, change, now });
}

/**
 * Who begins another conversation after a closed one: the contact whom the channel knows, else the one of the
 * conversation that they know, even if it was merged into someone else's.
 */
function writerAfter(writer: Sender, contactId: string | null): Sender {
  return 'id' in writer || contactId === null ? writer : { id: contactId };
}

async function receiveIntoNew(tx: Tx, incoming: IncomingMessage): Promise<Received> {
  const now = new Date();
  const quiet = isQuiet(incoming);
  const { conversation, change: started } = await startConversation(tx, incoming, now);
  // No one waits for an answer to what a machine wrote.
  const change = quiet ? { ...started, clocks: [] } : started;
  const received = await addReceivedMessage(tx, conversation, {
    incoming,
    actor: { kind: 'contact' },
    change,
    now,
  });
  const text = `${incoming.subject ?? ''}\n${incoming.content}`;
  if (!conversation.isTest && !quiet) await runFlows(tx, conversation, { text, now });
  return received;
}
