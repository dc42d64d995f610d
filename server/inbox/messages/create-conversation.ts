import { NIL } from 'uuid';
import { companyWithDomain, domainOf } from '#server/contacts/company-of-email.ts';
import { contactIdWithEmail } from '#server/contacts/contact-with-email.ts';
import { insertContact } from '#server/contacts/insert-contact.ts';
import type { NewEvent } from '#server/contract/record-events.ts';
import type { ConversationRecord, Teammate } from '#server/contract/record-schemas.ts';
import type { Planned } from '#server/core/database/planned.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { invalid, Refusal } from '#server/core/errors.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { judgedMailbox, type MailboxRow, mailboxOf } from '#server/inbox/channels/email/mailboxes.ts';
import { assign, changeOf, joinChanges } from '#server/inbox/conversations/changes.ts';
import { planChange } from '#server/inbox/conversations/persist-change.ts';
import { NO_MAILBOX } from '#server/inbox/conversations/set-mailbox.ts';
import { startConversation } from '#server/inbox/conversations/start-conversation.ts';
import { fileRows } from '#server/inbox/files/link-files.ts';
import { retainUploaded } from '#server/inbox/files/retain-uploaded.ts';
import type { UploadedFile } from '#server/inbox/files/uploaded-file.ts';
import { outgoingMessage, sendJob } from '#server/inbox/messages/outgoing-message.ts';
import {
  addressOwner,
  refuseOwnAddress,
  refuseOwnCopies,
} from '#server/inbox/messages/refuse-own-address.ts';
import { parseCopies } from '#server/inbox/messages/schedule-reply.ts';
import { type WritingActor, writerOf } from '#server/teammates/actor.ts';
import { assignable } from '#server/teammates/find-teammates.ts';

type NewConversation = {
  workspaceId: string;
  /** Id of the conversation, if the page created it. */
  id?: string | undefined;
  actor: WritingActor;
  /** Lowercase. */
  toEmail: string;
  toName: string | undefined;
  subject: string;
  content: string;
  /** The sending mailbox. Default: the workspace's default mailbox. Only the inbox sets it. */
  mailboxId?: string | undefined;
  /** Copies and uploaded files are not possible in the automation API. */
  cc?: string[] | undefined;
  bcc?: string[] | undefined;
  files?: UploadedFile[] | undefined;
};

/**
 * Starts an email conversation from the given or the default mailbox. Finds or creates the contact, assigns the
 * conversation to the teammate, if there is one, and turns the AI agent off for it. Saves the message and queues its sending, or holds it
 * without a verified email domain (docs/spec.md §4.2, POST /conversations). Emits `contact.created` (new contact),
 * `conversation.created`, `conversation.assigned`.
 * @throws Refusal when an address in Cc or Bcc is invalid, a file or the given mailbox no longer exists, the recipient is a mailbox or
 *   teammate of the workspace, or the teammate has left or become a viewer
 */
export async function createConversation(
  tx: SqlDb,
  wanted: NewConversation,
): Promise<Planned<ConversationRecord>> {
  const { workspaceId, actor, subject, content } = wanted;
  const { cc, bcc } = parseCopies(wanted);
  const references = await findReferences(tx, wanted);
  const writer = writerOf(actor);
  if (writer && !references.teammate) {
    const { name } = writer;
    const message = `${name} has left this workspace or is now a viewer, so no conversation was started.`;
    throw new Refusal('forbidden', message);
  }
  refuseOwnAddress(references.owner);
  await refuseOwnCopies(tx, { workspaceId, cc, bcc });
  if (wanted.mailboxId !== undefined && !references.mailbox) throw invalid({ mailbox: [NO_MAILBOX] });
  const now = new Date();
  const files = await retainUploaded(tx, { workspaceId, files: wanted.files ?? [] });
  const contact = await contactOf(tx, wanted, { ...references, now });
  const draft = {
    workspaceId,
    id: wanted.id,
    channel: 'email',
    contactId: contact.id,
    subject,
    mailboxId: references.mailbox?.id ?? null,
    assigneeId: references.teammate?.id ?? null,
    aiAgentSilenced: true,
  } as const;
  const conversation = await startConversation(tx, draft, now);
  const sendStatus =
    references.mailbox && judgedMailbox(references.mailbox).canSend ? 'queued' : 'held_for_paywall';
  const at = { workspaceId, conversationId: conversation.id, now };
  // A contact that another one was merged into has one more address than its own.
  const isOther = references.known !== null && references.known.email !== wanted.toEmail;
  const mailTo = isOther ? [wanted.toEmail] : [];
  const { message, insert } = outgoingMessage({ ...at, actor, content, mailTo, cc, bcc, files, sendStatus });
  const change = joinChanges([
    changeOf({
      entries: [{ kind: 'created', data: {} }],
      events: [{ key: 'conversation.created', details: {} }],
      rows: [insert, ...(await fileRows(tx, { workspaceId, messageId: message.id, files, now }))],
      jobs: sendStatus === 'queued' ? [sendJob(message.id, { channel: 'email' })] : [],
    }),
    references.teammate
      ? assign({ assignee: null }, { assignee: references.teammate, actor, now })
      : changeOf(),
  ]);
  // The insert has written the assignee.
  const { assigneeId: _, assignedAt: __, ...columns } = change.columns;
  const rest = { ...change, columns };
  const earlierEvents = contact.events;
  return planChange(conversation, { actor, change: rest, now, isInserted: true, earlierEvents });
}

/** Existing records that a new conversation refers to; null if there is none. */
type References = {
  teammate: Teammate | null;
  owner: Parameters<typeof refuseOwnAddress>[0];
  mailbox: MailboxRow | null;
  /** The contact with the address. */
  known: { id: string; email: string | null } | null;
  /** The company that a new contact belongs to. */
  company: { id: string; name: string } | null;
};

/**
 * Finds teammate, owner of the address, mailbox, contact and company in one round trip. Locks membership, contact and
 * company, so that none is removed before the conversation is committed.
 */
async function findReferences(
  tx: SqlDb,
  { workspaceId, actor, toEmail: email, mailboxId }: NewConversation,
): Promise<References> {
  const one = (rows: Prisma.Sql) => Prisma.sql`(select to_json(found) from (${rows}) found limit 1)`;
  const contact = Prisma.sql`
    select id, email from contacts
    where workspace_id = ${workspaceId}::uuid and id = ${contactIdWithEmail({ workspaceId, email })} for key share`;
  const [found] = await tx.$queryRaw<References[]>`
    select ${one(Prisma.sql`${assignable({ workspaceId, id: writerOf(actor)?.id ?? NIL })} for share of m`)} as teammate,
      ${one(addressOwner({ workspaceId, email }))} ->> 'owner' as owner,
      ${one(mailboxOf({ workspaceId, mailboxId: mailboxId ?? null }))} as mailbox,
      ${one(contact)} as known,
      ${one(companyWithDomain({ workspaceId, domain: domainOf(email) }))} as company`;
  if (!found) throw new Error('A statement without tables returned no row.');
  return found;
}

/** Finds or creates the contact with the address. Returns its id, and `contact.created` if it is new. */
async function contactOf(
  tx: SqlDb,
  wanted: NewConversation,
  { known, company, now }: Pick<References, 'known' | 'company'> & { now: Date },
): Promise<{ id: string; events: NewEvent[] }> {
  if (known !== null) return { id: known.id, events: [] };
  const { workspaceId, toEmail: email, toName: name } = wanted;
  const inserted = await insertContact(tx, { workspaceId, fields: { email, name }, company, now });
  if (inserted.kind === 'email_taken') {
    // Another request created the contact in the meantime: the next read finds it.
    return contactOf(tx, wanted, { ...(await findReferences(tx, wanted)), now });
  }
  const { contact } = inserted;
  return { id: contact.id, events: [{ key: 'contact.created', payload: { contact } }] };
}
