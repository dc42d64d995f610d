import { v7 as uuidv7 } from 'uuid';
import { type NewEvent, recordEvents } from '#server/contract/events/record-events.ts';
import type { ConversationRecord } from '#server/contract/records/record-schemas.ts';
import { afterCommit, inTransaction, type Tx } from '#server/ground/db.ts';
import { Refusal } from '#server/ground/errors.ts';
import { publish } from '#server/ground/publish/publish.ts';
import type { UploadedFile } from '#server/inbox/attachments/uploaded-file.ts';
import { findMailbox, type Mailbox } from '#server/inbox/channels/email/find-mailbox.ts';
import { timelineRows } from '#server/inbox/conversations/add-timeline-entries.ts';
import { getConversationRecord } from '#server/inbox/conversations/conversation-record.ts';
import { refuseOwnAddress } from '#server/inbox/conversations/refuse-own-address.ts';
import { linkFiles } from '#server/inbox/files/link-files.ts';
import type { StoredFile } from '#server/inbox/files/store-file.ts';
import { keepUploaded } from '#server/inbox/messages/keep-uploaded.ts';
import { parseCopies } from '#server/inbox/messages/parse-copies.ts';
import { queueSend } from '#server/inbox/messages/queue-send.ts';
import { outgoingMessage } from '#server/inbox/messages/save-outgoing-message.ts';
import { findOrCreateContact } from '#server/people/contacts/find-or-create-contact.ts';
import type { PersonalActor } from '#server/people/teammates/actor.ts';
import { findAssignable } from '#server/people/teammates/find-assignable.ts';

type NewConversation = {
  workspaceId: string;
  actor: PersonalActor;
  /** Lowercase. */
  toEmail: string;
  toName: string | undefined;
  subject: string;
  content: string;
  /** Who gets a copy, and files that the teammate's page uploaded: from the inbox alone. */
  cc?: string[] | undefined;
  bcc?: string[] | undefined;
  files?: UploadedFile[] | undefined;
};

/**
 * Starts an email conversation with a contact from the workspace's default mailbox: finds or creates the
 * contact, assigns the conversation to the teammate and keeps the AI agent out of it. The message is saved in
 * any case and sent by a job; without a verified email domain it is held (spec.md §4.2, POST /conversations).
 * Emits `contact.created` (someone new), `conversation.created`, `conversation.assigned`.
 * @throws Refusal when an address for copies is none, a file is not there any more, the address is the workspace's own or a teammate's, or the teammate may not act any more
 */
export async function createConversation(given: NewConversation): Promise<ConversationRecord> {
  const { workspaceId, actor, toEmail } = given;
  const copies = parseCopies(given);
  return inTransaction(async (tx) => {
    // Held until the end, so that no one gets a conversation while leaving.
    if (!(await findAssignable(tx, { workspaceId, id: actor.teammate.id }))) {
      throw new Refusal('forbidden', mayNotStart(actor.teammate.name));
    }
    await refuseOwnAddress(tx, { workspaceId, email: toEmail });
    const mailbox = await findMailbox(tx, { workspaceId, mailboxId: null });
    const now = new Date();
    const { contact, created } = await findOrCreateContact(tx, {
      workspaceId,
      fields: { email: toEmail, name: given.toName },
      now,
    });
    const files = await keepUploaded(tx, { workspaceId, files: given.files ?? [] });
    const id = await insertConversation(tx, {
      ...given,
      ...copies,
      files,
      contactId: contact.id,
      mailbox,
      now,
    });
    const conversation = await getConversationRecord(tx, { workspaceId, conversationId: id });
    const events: NewEvent[] = [
      ...(created ? [{ key: 'contact.created' as const, payload: { contact } }] : []),
      { key: 'conversation.created', payload: { conversation } },
      { key: 'conversation.assigned', payload: { conversation, previous_assignee: null } },
    ];
    await recordEvents(tx, { workspaceId, events, now });
    afterCommit(tx, () => publish(workspaceId, 'conversations'));
    return conversation;
  });
}

function mayNotStart(name: string): string {
  return `${name} has left this workspace or is now a viewer, so no conversation was started.`;
}

/** Conversation, timeline and message in one round trip, then the job that sends it. @returns the conversation's id */
async function insertConversation(
  tx: Tx,
  given: Omit<NewConversation, 'files'> & {
    files: StoredFile[];
    contactId: string;
    mailbox: Mailbox | null;
    now: Date;
  },
): Promise<string> {
  const { workspaceId, actor, mailbox, files, now } = given;
  const conversationId = uuidv7();
  const at = { workspaceId, conversationId, actor, now };
  const sendStatus = mailbox?.canSend ? 'queued' : 'held_for_paywall';
  const { content, cc = [], bcc = [] } = given;
  const { message, statement } = outgoingMessage({ ...at, content, cc, bcc, files, sendStatus });
  const data = { assigneeId: actor.teammate.id, assigneeName: actor.teammate.name };
  const entries = timelineRows({
    ...at,
    entries: [
      { kind: 'created', data: {} },
      { kind: 'assigned', data },
    ],
  });
  await tx.$executeRaw`
    with conversation as (
      insert into conversations (id, workspace_id, channel, subject, contact_id, assignee_id, mailbox_id, ai_agent_silenced,
        assigned_at, status_changed_at, last_message_at, created_at, updated_at)
      values (${conversationId}::uuid, ${workspaceId}::uuid, 'email', ${given.subject}, ${given.contactId}::uuid,
        ${actor.teammate.id}::uuid, ${mailbox?.id ?? null}::uuid, true, ${now}::timestamptz, ${now}::timestamptz,
        ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz)
    ), timeline as (${entries}) ${statement}`;
  await linkFiles(tx, { workspaceId, messageId: message.id, files, now });
  if (sendStatus === 'queued') await queueSend(tx, message.id);
  return conversationId;
}
