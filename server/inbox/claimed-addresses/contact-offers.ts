import { validate as isUuid } from 'uuid';
import { z } from 'zod';
import { contactLabel } from '#server/contacts/contact-label.ts';
import { findOrCreateSender } from '#server/contacts/find-or-create-contact.ts';
import { lockAddresses } from '#server/contacts/lock-addresses.ts';
import { inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { shownEmail } from '#server/core/email-domain.ts';
import { invalid, notFound } from '#server/core/errors.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { OfferKind } from '#server/generated/prisma/enums.ts';
import { changeOf } from '#server/inbox/conversations/changes.ts';
import { type LockedConversation, lockForChange } from '#server/inbox/conversations/lock-conversation.ts';
import { notifyAuthors } from '#server/inbox/conversations/notify-authors.ts';
import { persistChange } from '#server/inbox/conversations/persist-change.ts';
import { findUnverifiedSender } from '#server/inbox/messages/find-unverified-sender.ts';
import { findAddressOwner } from '#server/inbox/messages/refuse-own-address.ts';
import type { Actor } from '#server/teammates/actor.ts';

type Which = { workspaceId: string; conversationId: string };

/** Maximum number of messages that get their author's name. */
const MESSAGES_MAX = 200;

/** The conversation before an offer was accepted. */
const valuesBefore = z.object({
  contactId: z.string(),
  contactClaimed: z.boolean(),
  linkedFromId: z.string().nullable(),
  replyTo: z.array(z.string()),
  usesReplyTo: z.boolean(),
  messages: z.array(z.object({ id: z.string(), authorAddress: z.string().nullable() })),
});
type ValuesBefore = z.infer<typeof valuesBefore>;

type Offer = {
  email: string;
  firstName: string | null;
  lastName: string | null;
  contactId: string | null;
  isOpen: boolean;
  isUndoable: boolean;
  before: unknown;
};

const CHANGED = 'This conversation has changed. Reload the page to see the current details.';

/** Returns SQL that is true while nobody wrote after an offer `f` was accepted and the contact is the same. */
const IS_UNDOABLE = Prisma.sql`(f.accepted_at is not null
  and exists (select from conversations fc where fc.id = f.conversation_id and fc.contact_id = f.contact_id)
  and not exists (select from messages fm where fm.conversation_id = f.conversation_id and fm.created_at > f.accepted_at)
  and not exists (select from pending_replies fp where fp.conversation_id = f.conversation_id and fp.created_at > f.accepted_at))`;

/**
 * Accepts an offer: its person becomes the contact of the conversation (docs/rulings.md 3.44). The person only claims the
 * address: nobody proved it, so they are separate from a contact who has it. The messages so far get the name of the earlier
 * contact, who wrote them, so that replies to the person do not quote them. Replies that were not sent yet are not sent to the person. Accepting again changes nothing. Emits
 * `contact.created` for a new contact.
 * @throws Refusal when nothing is offered, the address is ours, or the conversation cannot be changed
 */
export async function acceptOffer({ actor, ...which }: Which & { actor: Actor }): Promise<void> {
  const { workspaceId } = which;
  await inTransaction(async (tx) => {
    await lockAddresses(tx, which);
    const { email } = await findOffer(tx, which);
    if (await findAddressOwner(tx, { workspaceId, email })) {
      throw invalid({ contact: [`${shownEmail(email)} is an address of this workspace.`] });
    }
    const claiming = await findUnverifiedSender(tx, { workspaceId, email });
    // Before the conversation, as the job that sends them does.
    await tx.$executeRaw`
      select from pending_replies where conversation_id = ${which.conversationId}::uuid order by id for update`;
    const conversation = await lockForChange(tx, { workspaceId, id: which.conversationId });
    // Parallel requests wait for the lock above, so the offer is read again.
    const offer = await findOffer(tx, which);
    if (offer.isUndoable) return;
    if (!offer.isOpen) throw invalid({ contact: [CHANGED] });
    const now = new Date();
    const contactId = claiming ?? (await findOrCreateClaim(tx, offer, { workspaceId, now }));
    const before = await valuesOf(tx, conversation);
    await nameAuthor(tx, conversation, before);
    const accepted = Prisma.sql`
      update contact_offers set accepted_at = ${now}::timestamptz, contact_id = ${contactId}::uuid, before = ${JSON.stringify(before)}::jsonb
      where conversation_id = ${conversation.id}::uuid`;
    const change = changeOf({
      columns: { contactId, contactClaimed: true, linkedFromId: null, replyTo: [], usesReplyTo: false },
      entries: [{ kind: 'contact_set', data: { email } }],
      rows: [accepted],
    });
    await persistChange(tx, conversation, { actor, change, now });
    await holdReplies(tx, conversation, { actor, earlierId: before.contactId, now });
  });
}

const CONTACT_CHANGED =
  'The contact of this conversation was changed after it was written. Edit it to send it to the new contact.';

/**
 * Holds the unsent replies to the earlier contact for their authors, and notifies these. An email that was written to the earlier contact
 * still goes there if it is sent again, and its reports are about that address.
 */
async function holdReplies(
  tx: Tx,
  { id: conversationId, workspaceId }: LockedConversation,
  { actor, earlierId, now }: { actor: Actor; earlierId: string; now: Date },
): Promise<void> {
  await tx.$executeRaw`
    update messages m set mail_to = array[coalesce(k.email, k.claimed_email)] from contacts k
    where m.conversation_id = ${conversationId}::uuid and m.direction = 'outbound'
      and m.mail_to = '{}' and k.id = ${earlierId}::uuid and coalesce(k.email, k.claimed_email) is not null`;
  const held = await tx.$queryRaw<{ authorId: string }[]>`
    update pending_replies set sends_later = false, problem = ${CONTACT_CHANGED}
    where conversation_id = ${conversationId}::uuid and problem is null and mail_to = '{}'
    returning author_id as "authorId"`;
  await notifyAuthors(tx, { workspaceId, conversationId, actor, replies: held, why: CONTACT_CHANGED, now });
}

/** Returns the contact of an offer that was undone, or a new one. */
async function findOrCreateClaim(
  tx: Tx,
  { contactId, email, firstName, lastName }: Offer,
  { workspaceId, now }: { workspaceId: string; now: Date },
): Promise<string> {
  const id = contactId ?? '';
  const where = { workspaceId, id, email: null, claimedEmail: email };
  if (contactId !== null && (await tx.contact.count({ where })) > 0) return contactId;
  const fields = firstName === null ? {} : { name: { firstName, lastName } };
  return findOrCreateSender(tx, { workspaceId, writer: { fields, claimedEmail: email }, isTest: false, now });
}

async function valuesOf(tx: Tx, { id, workspaceId }: LockedConversation): Promise<ValuesBefore> {
  const [row] = await tx.$queryRaw<(Omit<ValuesBefore, 'contactId'> & { contactId: string | null })[]>`
    select c.contact_id as "contactId", c.contact_claimed as "contactClaimed", c.linked_from_id as "linkedFromId",
      c.reply_to as "replyTo", c.uses_reply_to as "usesReplyTo",
      (select coalesce(json_agg(json_build_object('id', m.id, 'authorAddress', m.author_address)), '[]') from (
        select id, author_address from messages
        where conversation_id = c.id and direction = 'inbound' and author_kind = 'contact' and author_name is null
        order by created_at, id limit ${MESSAGES_MAX + 1}) m) as messages
    from conversations c where c.workspace_id = ${workspaceId}::uuid and c.id = ${id}::uuid`;
  if (!row || row.contactId === null) throw invalid({ contact: [CHANGED] });
  if (row.messages.length > MESSAGES_MAX) {
    throw invalid({ contact: [`The contact has written more than ${MESSAGES_MAX} messages here.`] });
  }
  return { ...row, contactId: row.contactId };
}

/**
 * Names the earlier contact as the author of the messages and timeline entries. The messages get no address, so that replies
 * are never sent to them.
 */
async function nameAuthor(
  tx: Tx,
  { id: conversationId, record: { contact } }: LockedConversation,
  { messages }: ValuesBefore,
): Promise<void> {
  if (!contact) throw invalid({ contact: [CHANGED] });
  const name = contactLabel(contact);
  await tx.message.updateMany({
    where: { id: { in: messages.map(({ id }) => id) } },
    data: { authorName: name, authorAddress: null },
  });
  await tx.timelineEntry.updateMany({
    where: { conversationId, actorKind: 'contact', actorName: null },
    data: { actorName: name },
  });
}

/**
 * Undoes an accepted offer: restores the contact, Reply-To and authors. It is then offered again.
 * @throws Refusal when somebody wrote since, the contact changed, or the conversation cannot be changed
 */
export async function undoOffer({ actor, ...which }: Which & { actor: Actor }): Promise<void> {
  const { workspaceId } = which;
  await inTransaction(async (tx) => {
    await lockAddresses(tx, which);
    const conversation = await lockForChange(tx, { workspaceId, id: which.conversationId });
    const offer = await findOffer(tx, which);
    if (!offer.isUndoable) throw invalid({ contact: [CHANGED] });
    const { messages, ...columns } = valuesBefore.parse(offer.before);
    // A merge of contacts may have removed the earlier one.
    if ((await tx.contact.count({ where: { workspaceId, id: columns.contactId } })) === 0) {
      throw invalid({ contact: [CHANGED] });
    }
    await tx.$executeRaw`
      update messages m set author_name = null, author_address = e."authorAddress"
      from jsonb_to_recordset(${JSON.stringify(messages)}::jsonb) as e (id uuid, "authorAddress" text)
      where m.id = e.id and m.conversation_id = ${conversation.id}::uuid`;
    await tx.timelineEntry.updateMany({
      where: { conversationId: conversation.id, actorKind: 'contact' },
      data: { actorName: null },
    });
    const undone = Prisma.sql`
      update contact_offers set accepted_at = null, before = null where conversation_id = ${conversation.id}::uuid`;
    const change = changeOf({ columns, entries: [{ kind: 'contact_set_undone', data: {} }], rows: [undone] });
    await persistChange(tx, conversation, { actor, change, now: new Date() });
  });
}

/** Removes an offer from its conversation. Does nothing for an accepted one. */
export async function dismissOffer({ workspaceId, conversationId }: Which): Promise<void> {
  await inTransaction(async (tx) => {
    await findOffer(tx, { workspaceId, conversationId });
    await tx.contactOffer.updateMany({
      where: { workspaceId, conversationId, acceptedAt: null, dismissedAt: null },
      data: { dismissedAt: new Date() },
    });
  });
}

async function findOffer(tx: Tx, { workspaceId, conversationId }: Which): Promise<Offer> {
  const [offer] = isUuid(conversationId)
    ? await tx.$queryRaw<Offer[]>`
        select f.email, f.first_name as "firstName", f.last_name as "lastName", f.contact_id as "contactId", f.before,
          f.accepted_at is null and f.dismissed_at is null as "isOpen", ${IS_UNDOABLE} as "isUndoable"
        from contact_offers f
        where f.workspace_id = ${workspaceId}::uuid and f.conversation_id = ${conversationId}::uuid`
    : [];
  if (!offer) throw notFound('The offer');
  return offer;
}

/** An offer as a conversation shows it. An accepted one is shown while it can be undone. */
export type ShownOffer = { kind: OfferKind; email: string; isAccepted: boolean };

/**
 * Returns SQL for the offer of a conversation; null for none. Nothing is offered when the contact is the person already.
 * @param conversation alias of `conversations`
 * @param contact alias of its contact
 */
export function shownOffer(conversation: 'c', contact: 'k'): Prisma.Sql {
  const c = Prisma.raw(conversation);
  const k = Prisma.raw(contact);
  return Prisma.sql`
    (select json_build_object('kind', f.kind, 'email', f.email, 'isAccepted', f.accepted_at is not null)
      from contact_offers f
      where f.workspace_id = ${c}.workspace_id and f.conversation_id = ${c}.id and f.dismissed_at is null
        and ${c}.removal is null and ${c}.merged_into_id is null
        and (${IS_UNDOABLE} or f.accepted_at is null
          and f.email is distinct from ${k}.email and f.email is distinct from ${k}.claimed_email))`;
}
