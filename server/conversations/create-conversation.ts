import { defaultMailbox } from '#server/channels/email/default-mailbox.ts';
import { findOrCreateContact } from '#server/contacts/find-or-create-contact.ts';
import { addTimelineEntry } from '#server/conversations/add-timeline-entry.ts';
import {
  type ConversationRecord,
  findConversationRecord,
} from '#server/conversations/conversation-record.ts';
import { refuseOwnAddress } from '#server/conversations/refuse-own-address.ts';
import { inTransaction, type Tx } from '#server/db.ts';
import { type NewEvent, recordEvents } from '#server/events/record-events.ts';
import { saveOutgoingEmail } from '#server/messages/save-outgoing-email.ts';
import type { Actor, Teammate } from '#server/teammates/actor.ts';

/**
 * Starts an e-mail conversation with a contact from the workspace's default mailbox: finds or creates the
 * contact, assigns the conversation to the teammate and keeps the AI agent out of it. The message is saved in
 * any case and sent by a job; without a verified e-mail domain it is held (spec.md §4.2, POST /conversations).
 * Emits `contact.created` (someone new), `conversation.created`, `conversation.assigned`.
 * @throws Refusal when the address is the workspace's own or a teammate's
 */
export async function createConversation(given: {
  workspaceId: string;
  actor: Actor & { teammate: Teammate };
  /** Lowercase. */
  toEmail: string;
  toName: string | undefined;
  subject: string;
  content: string;
}): Promise<ConversationRecord> {
  return inTransaction(async (tx) => {
    await refuseOwnAddress(tx, { workspaceId: given.workspaceId, email: given.toEmail });
    const { contact, created } = await findOrCreateContact(tx, {
      workspaceId: given.workspaceId,
      email: given.toEmail,
      name: given.toName,
    });
    const mailbox = await defaultMailbox(tx, given.workspaceId);
    const id = await insertConversation(tx, {
      ...given,
      contactId: contact.id,
      mailboxId: mailbox?.id ?? null,
    });
    await saveOutgoingEmail(tx, { ...given, conversationId: id, canSend: mailbox?.canSend ?? false });

    const conversation = await findConversationRecord(tx, { workspaceId: given.workspaceId, id });
    if (!conversation) throw new Error('The conversation just created is not there.');
    const events: NewEvent[] = [
      ...(created ? [{ key: 'contact.created' as const, payload: { contact } }] : []),
      { key: 'conversation.created', payload: { conversation } },
      { key: 'conversation.assigned', payload: { conversation, previous_assignee: null } },
    ];
    await recordEvents(tx, { workspaceId: given.workspaceId, events });
    return conversation;
  });
}

async function insertConversation(
  tx: Tx,
  given: {
    workspaceId: string;
    actor: Actor & { teammate: Teammate };
    contactId: string;
    mailboxId: string | null;
    subject: string;
  },
): Promise<string> {
  const { workspaceId, actor } = given;
  const { id } = await tx.conversation.create({
    data: {
      workspaceId,
      channel: 'email',
      subject: given.subject,
      contactId: given.contactId,
      assigneeId: actor.teammate.id,
      assignedAt: new Date(),
      mailboxId: given.mailboxId,
      aiAgentSilenced: true,
    },
    select: { id: true },
  });
  await addTimelineEntry(tx, { workspaceId, conversationId: id, kind: 'created', actor, data: {} });
  await addTimelineEntry(tx, {
    workspaceId,
    conversationId: id,
    kind: 'assigned',
    actor,
    data: { assigneeId: actor.teammate.id, assigneeName: actor.teammate.name },
  });
  return id;
}
