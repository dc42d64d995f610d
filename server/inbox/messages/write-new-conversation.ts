import { v7 as uuidv7 } from 'uuid';
import { companyWithDomain, domainOf } from '#server/contacts/company-of-email.ts';
import { contactRecord, type SelectedContact } from '#server/contacts/contact-record.ts';
import {
  contactWithEmail,
  type FoundContact,
  selectedContact,
} from '#server/contacts/find-or-create-contact.ts';
import { newContact } from '#server/contacts/insert-contact.ts';
import { eventParts, type NewEvent, RECORDED } from '#server/contract/record-events.ts';
import type { ConversationRecord, Teammate } from '#server/contract/record-schemas.ts';
import { prepared, type RawDb } from '#server/core/database/prepared.ts';
import { statementOf } from '#server/core/database/statement-parts.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { judgedMailbox, type MailboxRow, mailboxOf } from '#server/inbox/channels/email/mailboxes.ts';
import { conversationRecord } from '#server/inbox/conversations/conversation-record.ts';
import { timelineRows } from '#server/inbox/conversations/timeline.ts';
import type { StoredFile } from '#server/inbox/files/store-file.ts';
import type { UploadedFile } from '#server/inbox/files/uploaded-file.ts';
import { addressOwner, type refuseOwnAddress } from '#server/inbox/messages/refuse-own-address.ts';
import { outgoingMessage, sendJobRow } from '#server/inbox/messages/save-outgoing-message.ts';
import type { PersonalActor } from '#server/teammates/actor.ts';
import { assignable } from '#server/teammates/find-teammates.ts';

/** What must hold for all else to be written. */
const WHEN_ASSIGNABLE = Prisma.sql`exists (select from teammate)`;
const WHEN_STARTED = Prisma.sql`exists (select from conversation)`;

/** A new conversation that was written. */
export type WrittenConversation = {
  conversation: ConversationRecord;
  messageId: string;
  /** Whether a job sends the message, and how many events were recorded. */
  isQueued: boolean;
  recorded: number;
};

/**
 * Writes a new conversation with its contact, message, timeline, job and events in one statement.
 * @returns undefined when teammate or contact are not as they were found; then nothing is written
 */
export async function writeNewConversation(
  db: RawDb,
  given: NewConversation,
  { teammate, mailbox, contact: existing, company }: ConversationNeeds & { teammate: Teammate },
  files: StoredFile[] = [],
): Promise<WrittenConversation | undefined> {
  const { workspaceId, actor, toEmail: email, toName: name, subject } = given;
  const now = new Date();
  const conversationId = uuidv7();
  const at = { workspaceId, conversationId, actor, now };
  const contact = existing
    ? { contact: selectedContact(existing), statement: heldContact({ workspaceId, id: existing.id }) }
    : newContact({ workspaceId, fields: { email, name }, company, now }, WHEN_ASSIGNABLE);
  const conversation = recordOfNew({ id: conversationId, subject, now, teammate, contact: contact.contact });
  const events: NewEvent[] = [
    ...(existing
      ? []
      : [{ key: 'contact.created' as const, payload: { contact: contactRecord(contact.contact) } }]),
    { key: 'conversation.created', payload: { conversation } },
    { key: 'conversation.assigned', payload: { conversation, previous_assignee: null } },
  ];
  const sendStatus = mailbox && judgedMailbox(mailbox).canSend ? 'queued' : 'held_for_paywall';
  const { content, cc = [], bcc = [] } = given;
  const { message, statement } = outgoingMessage(
    { ...at, content, cc, bcc, files, sendStatus },
    WHEN_STARTED,
  );
  const data = { assigneeId: actor.teammate.id, assigneeName: actor.teammate.name };
  const entries = [
    { kind: 'created' as const, data: {} },
    { kind: 'assigned' as const, data },
  ];
  const parts = {
    // Held until all is written, so that no one gets a conversation while leaving.
    teammate: Prisma.sql`${assignable({ workspaceId, id: teammate.id })} for share of m`,
    contact: contact.statement,
    conversation: Prisma.sql`
      insert into conversations (id, workspace_id, channel, subject, contact_id, assignee_id, mailbox_id, ai_agent_silenced,
        assigned_at, status_changed_at, last_message_at, created_at, updated_at)
      select ${conversationId}::uuid, ${workspaceId}::uuid, 'email', ${subject}::text, id, ${teammate.id}::uuid,
        ${mailbox?.id ?? null}::uuid, true, ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz,
        ${now}::timestamptz, ${now}::timestamptz
      from contact
      returning id`,
    timeline: timelineRows({ ...at, entries }, WHEN_STARTED),
    message: statement,
    job: sendStatus === 'queued' ? sendJobRow(message.id, WHEN_STARTED) : null,
    ...eventParts({ workspaceId, events, now }, WHEN_STARTED),
  };
  const last = Prisma.sql`select ${WHEN_STARTED} as started, ${RECORDED} as recorded`;
  const [row] = await db.$queryRaw<{ started: boolean; recorded: number }[]>(statementOf(parts, last));
  if (!row?.started) return undefined;
  return {
    conversation,
    messageId: message.id,
    isQueued: sendStatus === 'queued',
    recorded: row.recorded,
  };
}

function heldContact({ workspaceId, id }: { workspaceId: string; id: string }): Prisma.Sql {
  return Prisma.sql`
    select k.id from contacts k
    where k.workspace_id = ${workspaceId}::uuid and k.id = ${id}::uuid and ${WHEN_ASSIGNABLE}
    for key share of k`;
}

function recordOfNew({
  teammate,
  now,
  ...given
}: {
  id: string;
  subject: string;
  now: Date;
  teammate: Teammate;
  contact: SelectedContact;
}): ConversationRecord {
  return conversationRecord({
    ...given,
    status: 'open',
    priority: 'normal',
    channel: 'email',
    createdAt: now,
    updatedAt: now,
    resolvedAt: null,
    tags: [],
    assignee: { user: teammate },
    team: null,
  });
}

/** What a new conversation is made of. */
export type NewConversation = {
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

/** What a new conversation needs of what is there already. */
export type ConversationNeeds = {
  teammate: Teammate | null;
  owner: Parameters<typeof refuseOwnAddress>[0];
  mailbox: MailboxRow | null;
  contact: FoundContact | null;
  company: { id: string; name: string } | null;
};

/** The teammate, whose the address is, the mailbox, and the contact or, for someone new, their company. One round trip. */
export async function findConversationNeeds({
  workspaceId,
  actor,
  toEmail: email,
}: NewConversation): Promise<ConversationNeeds> {
  const one = (rows: Prisma.Sql) => Prisma.sql`(select to_json(found) from (${rows}) found limit 1)`;
  const [found] = await prepared().$queryRaw<ConversationNeeds[]>(Prisma.sql`
    select ${one(assignable({ workspaceId, id: actor.teammate.id }))} as teammate,
      ${one(addressOwner({ workspaceId, email }))} ->> 'owner' as owner,
      ${one(mailboxOf({ workspaceId, mailboxId: null }))} as mailbox,
      ${one(contactWithEmail({ workspaceId, email }))} as contact,
      ${one(companyWithDomain({ workspaceId, domain: domainOf(email) }))} as company`);
  if (!found) throw new Error('A statement without tables answered no row.');
  return found;
}
