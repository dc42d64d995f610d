import { v7 as uuidv7 } from 'uuid';
import { eventParts, type NewEvent, RECORDED } from '#server/contract/events/record-events.ts';
import type { ConversationRecord, Teammate } from '#server/contract/records/record-schemas.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { inTransaction, isConflict } from '#server/ground/db.ts';
import { Refusal } from '#server/ground/errors.ts';
import { startMovingJobs } from '#server/ground/jobs/queue-job.ts';
import { wakeWorkers } from '#server/ground/jobs/wake-workers.ts';
import { prepared, type RawDb } from '#server/ground/prepared.ts';
import { publish } from '#server/ground/publish/publish.ts';
import { statementOf } from '#server/ground/statement-parts.ts';
import type { UploadedFile } from '#server/inbox/attachments/uploaded-file.ts';
import { judgedMailbox, type MailboxRow, mailboxOf } from '#server/inbox/channels/email/find-mailbox.ts';
import { timelineRows } from '#server/inbox/conversations/add-timeline-entries.ts';
import { conversationRecord } from '#server/inbox/conversations/conversation-record.ts';
import { addressOwner, refuseOwnAddress } from '#server/inbox/conversations/refuse-own-address.ts';
import { linkFiles } from '#server/inbox/files/link-files.ts';
import type { StoredFile } from '#server/inbox/files/store-file.ts';
import { keepUploaded } from '#server/inbox/messages/keep-uploaded.ts';
import { parseCopies } from '#server/inbox/messages/parse-copies.ts';
import { sendJobRow } from '#server/inbox/messages/queue-send.ts';
import { outgoingMessage } from '#server/inbox/messages/save-outgoing-message.ts';
import { companyWithDomain, domainOf } from '#server/people/contacts/company-of-email.ts';
import { contactRecord, type SelectedContact } from '#server/people/contacts/contact-record.ts';
import {
  contactWithEmail,
  type FoundContact,
  selectedContact,
} from '#server/people/contacts/find-or-create-contact.ts';
import { newContact } from '#server/people/contacts/insert-contact.ts';
import type { PersonalActor } from '#server/people/teammates/actor.ts';
import { assignable } from '#server/people/teammates/find-assignable.ts';

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

const ATTEMPTS = 4;

/**
 * Starts an email conversation with a contact from the workspace's default mailbox: finds or creates the
 * contact, assigns the conversation to the teammate and keeps the AI agent out of it. The message is saved in
 * any case and sent by a job; without a verified email domain it is held (spec.md §4.2, POST /conversations).
 * Emits `contact.created` (someone new), `conversation.created`, `conversation.assigned`. Two round trips: what it needs is
 * found, and all is written in one statement; again, when another call made the contact meanwhile.
 * @throws Refusal when an address for copies is none, a file is not there any more, the address is the workspace's own or a
 * teammate's, or the teammate may not act any more
 */
export async function createConversation(asked: NewConversation): Promise<ConversationRecord> {
  const given = { ...asked, ...parseCopies(asked) };
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const found = await findNeeded(given);
    if (!found.teammate) throw new Refusal('forbidden', mayNotStart(given.actor.teammate.name));
    refuseOwnAddress(found.owner);
    const needed = { ...found, teammate: found.teammate };
    const { files = [] } = given;
    const written = await (files.length > 0
      ? writeWithFiles(given, needed, files)
      : write(prepared(), given, needed)
    ).catch(nothingOnConflict);
    if (!written) continue;
    publish(given.workspaceId, 'conversations');
    if (written.isQueued) startMovingJobs();
    if (written.recorded > 0) wakeWorkers();
    return written.conversation;
  }
  throw new Error('What a new conversation needs changed each time it was to be written.');
}

function mayNotStart(name: string): string {
  return `${name} has left this workspace or is now a viewer, so no conversation was started.`;
}

type Needed = {
  teammate: Teammate | null;
  owner: Parameters<typeof refuseOwnAddress>[0];
  mailbox: MailboxRow | null;
  contact: FoundContact | null;
  company: { id: string; name: string } | null;
};

/** The teammate, whose the address is, the mailbox, and the contact or, for someone new, their company. One round trip. */
async function findNeeded({ workspaceId, actor, toEmail: email }: NewConversation): Promise<Needed> {
  const one = (rows: Prisma.Sql) => Prisma.sql`(select to_json(found) from (${rows}) found limit 1)`;
  const [found] = await prepared().$queryRaw<Needed[]>(Prisma.sql`
    select ${one(assignable({ workspaceId, id: actor.teammate.id }))} as teammate,
      ${one(addressOwner({ workspaceId, email }))} ->> 'owner' as owner,
      ${one(mailboxOf({ workspaceId, mailboxId: null }))} as mailbox,
      ${one(contactWithEmail({ workspaceId, email }))} as contact,
      ${one(companyWithDomain({ workspaceId, domain: domainOf(email) }))} as company`);
  if (!found) throw new Error('A statement without tables answered no row.');
  return found;
}

/** What must hold for all else to be written. */
const WHEN_ASSIGNABLE = Prisma.sql`exists (select from teammate)`;
const WHEN_STARTED = Prisma.sql`exists (select from conversation)`;

type Written = {
  conversation: ConversationRecord;
  messageId: string;
  /** Whether a job sends the message, and how many events were recorded. */
  isQueued: boolean;
  recorded: number;
};

/** The same with files, in a transaction that links them. */
function writeWithFiles(
  given: NewConversation,
  needed: Needed & { teammate: Teammate },
  files: UploadedFile[],
): Promise<Written | undefined> {
  const { workspaceId } = given;
  return inTransaction(async (tx) => {
    const stored = await keepUploaded(tx, { workspaceId, files });
    const written = await write(tx, given, needed, stored);
    if (!written) return undefined;
    await linkFiles(tx, { workspaceId, messageId: written.messageId, files: stored, now: new Date() });
    return written;
  });
}

/** One round trip. @returns undefined when teammate or contact are not as they were found */
async function write(
  db: RawDb,
  given: NewConversation,
  { teammate, mailbox, contact: existing, company }: Needed & { teammate: Teammate },
  files: StoredFile[] = [],
): Promise<Written | undefined> {
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

/** A deadlock is tried again, too. */
function nothingOnConflict(error: unknown): undefined {
  if (isConflict(error)) return undefined;
  throw error;
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
