import { validate as isUuid } from 'uuid';
import { findMergedInto } from '#server/contacts/contact-alias.ts';
import { contactLabel } from '#server/contacts/contact-label.ts';
import { contactRecord, contactSelect } from '#server/contacts/contact-record.ts';
import { lockAddresses } from '#server/contacts/lock-addresses.ts';
import { lockVisitors } from '#server/contacts/lock-visitors.ts';
import { filledColumns } from '#server/contacts/merged-fields.ts';
import { refuseErased } from '#server/contacts/refuse-erased.ts';
import { recordEvents } from '#server/contract/record-events.ts';
import { afterCommit } from '#server/core/database/after-commit.ts';
import { inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { invalid, notFound } from '#server/core/errors.ts';
import { publish } from '#server/core/live/publish.ts';
import type { Contact } from '#server/generated/prisma/client.ts';
import { type Actor, auditAuthor, causeOf } from '#server/teammates/actor.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';

/** Keeps the transaction well below its limit of 15 seconds. */
const CONVERSATIONS_MAX = 20_000;

/** The contact that is merged, and the contact that remains. */
type Pair = { workspaceId: string; id: string; intoId: string };

/**
 * Merges a contact into another one: conversations with their notes, identities and visitors move, fields and
 * custom fields that the other contact lacks are filled, and the id becomes an alias (docs/rulings.md 3.14). Emits
 * `contact.merged` for programs. Cannot be undone.
 *
 * One statement moves all conversations: 10,000 take about three seconds on a busy machine. The address lock
 * makes the merges of a workspace run one after another. Rows are locked in the order visitors, waiting replies, conversations,
 * contacts, as messages do.
 * @param transact runs the transaction
 * @throws Refusal when one of the contacts does not exist or will be erased, both are the same, or the merged one has more
 * than `CONVERSATIONS_MAX` conversations
 */
export async function mergeContacts(
  merge: Pair & { actor: Actor },
  transact = inTransaction,
): Promise<{ id: string }> {
  const { workspaceId, actor } = merge;
  return transact(async (tx) => {
    await lockAddresses(tx, { workspaceId });
    const pair = await followMerges(tx, merge);
    const { id, intoId } = pair;
    await lockRows(tx, pair);
    const { from, into } = await lockContacts(tx, pair);
    await refuseErased(tx, { workspaceId, ids: [pair.id, pair.intoId], to: 'merge' });
    await answerAtOwnAddress(tx, pair, { from, into });
    await moveRows(tx, pair);
    await tx.contact.delete({ where: { id }, select: { id: true } });
    // After the deletion, which frees the email address.
    const updatedAt = new Date();
    const contact = await tx.contact.update({
      where: { id: intoId },
      data: { ...filledColumns(into, from), updatedAt },
      select: contactSelect,
    });
    await storeAddress(tx, { workspaceId, from, into });
    await tx.contactAlias.create({ data: { id, workspaceId, contactId: intoId }, select: { id: true } });
    const data = { contactId: id, contactName: contactLabel(from), intoId };
    await addAuditEntry(tx, { workspaceId, kind: 'contacts_merged', by: auditAuthor(actor), data });
    const payload = { contact: contactRecord(contact), merged_contact_id: id };
    const events = [{ key: 'contact.merged' as const, payload }];
    await recordEvents(tx, { workspaceId, events, cause: causeOf(actor), now: updatedAt });
    afterCommit(tx, () => publish(workspaceId, 'conversations'));
    return { id: intoId };
  });
}

/** Replaces the id of a contact that was merged in the meantime with that of the remaining contact. */
async function followMerges(tx: Tx, { workspaceId, id, intoId }: Pair): Promise<Pair> {
  const follow = async (each: string) => {
    if (!isUuid(each)) throw notFound('The contact');
    return (await findMergedInto(tx, { workspaceId, id: each })) ?? each.toLowerCase();
  };
  const pair = { workspaceId, id: await follow(id), intoId: await follow(intoId) };
  if (pair.id !== pair.intoId) return pair;
  throw invalid({ contact: ['These are the same contact. Reload the page to see the current details.'] });
}

/**
 * Locks the merged contact's visitors and conversations, which a message locks before their contact.
 * @throws Refusal when there are too many conversations
 */
async function lockRows(tx: Tx, { workspaceId, id }: Pair): Promise<void> {
  await lockVisitors(tx, { workspaceId, contactId: id });
  // Before the conversations, as the job that sends them does.
  await tx.$executeRaw`
    select from pending_replies
    where conversation_id in (select id from conversations where workspace_id = ${workspaceId}::uuid and contact_id = ${id}::uuid)
    order by id for update`;
  const [found] = await tx.$queryRaw<{ count: number }[]>`
    with locked as materialized (
      select id from conversations where workspace_id = ${workspaceId}::uuid and contact_id = ${id}::uuid
      order by id limit ${CONVERSATIONS_MAX + 1}::int for no key update
    )
    select count(*)::int as count from locked`;
  if ((found?.count ?? 0) <= CONVERSATIONS_MAX) return;
  const most = CONVERSATIONS_MAX.toLocaleString('en');
  const message = `A contact with more than ${most} conversations cannot be merged into another one. Open it and merge the other contact into it.`;
  throw invalid({ contact: [message] });
}

/** Locks both contacts. From then on no row can refer to the merged one: foreign keys wait for this lock. */
async function lockContacts(
  tx: Tx,
  { workspaceId, id, intoId }: Pair,
): Promise<{ from: Contact; into: Contact }> {
  await tx.$executeRaw`
    select from contacts where workspace_id = ${workspaceId}::uuid and id in (${id}::uuid, ${intoId}::uuid)
    order by id for update`;
  const contacts = await tx.contact.findMany({
    where: { workspaceId, id: { in: [id, intoId] }, isTest: false },
  });
  const [from, into] = [contacts.find((each) => each.id === id), contacts.find((each) => each.id === intoId)];
  if (!from || !into) throw notFound('The contact');
  return { from, into };
}

async function moveRows(tx: Tx, { workspaceId, id, intoId }: Pair): Promise<void> {
  const where = { workspaceId, contactId: id };
  const data = { contactId: intoId };
  await tx.conversation.updateMany({ where, data });
  await tx.visitor.updateMany({ where, data });
  await tx.contactIdentity.updateMany({ where, data });
  await tx.contactAlias.updateMany({ where, data });
  // A value of the remaining contact wins, as with its other fields.
  await tx.$executeRaw`
    insert into contact_field_values (workspace_id, contact_id, field_id, created_at, text, number, date, choice_id)
    select workspace_id, ${intoId}::uuid, field_id, created_at, text, number, date, choice_id
    from contact_field_values where workspace_id = ${workspaceId}::uuid and contact_id = ${id}::uuid
    on conflict do nothing`;
  // Contacts who are linked to the merged one stay linked, except the remaining contact itself.
  await tx.contactLink.deleteMany({ where: { workspaceId, contactId: intoId, ownerId: id } });
  await tx.contactLink.updateMany({ where: { workspaceId, ownerId: id }, data: { ownerId: intoId } });
}

/**
 * Sends replies in the conversations that `from` wrote by email to that address still, as if its newest email had asked for that
 * (docs/rulings.md 3.35): the address of `into` never wrote there. Includes replies that are about to be sent, or can be sent again.
 */
async function answerAtOwnAddress(
  tx: Tx,
  { workspaceId, id }: Pair,
  { from, into }: { from: Contact; into: Contact },
): Promise<void> {
  if (from.email === null || into.email === null) return;
  const own = [from.email];
  const written = await tx.$queryRaw<{ id: string }[]>`
    update conversations c set reply_to = ${own}::text[], uses_reply_to = true
    where c.workspace_id = ${workspaceId}::uuid and c.contact_id = ${id}::uuid and c.channel = 'email' and not c.uses_reply_to
      and exists (select from messages m
        where m.conversation_id = c.id and m.direction = 'inbound' and m.author_address = ${from.email})
    returning c.id`;
  const ids = written.map((each) => each.id);
  await tx.$executeRaw`
    update pending_replies set mail_to = ${own}::text[] where conversation_id = any(${ids}::uuid[]) and mail_to = '{}'`;
  await tx.$executeRaw`
    update messages set mail_to = ${own}::text[]
    where conversation_id = any(${ids}::uuid[]) and direction = 'outbound' and mail_to = '{}'
      and send_status in ('queued', 'sending', 'failed', 'held_for_paywall')`;
}

/** Stores the address that `into` has no room for as an identity, so that mail from it still finds the contact. */
async function storeAddress(
  tx: Tx,
  { workspaceId, from, into }: { workspaceId: string; from: Contact; into: Contact },
): Promise<void> {
  if (from.email === null || into.email === null) return;
  const identity = { workspaceId, channel: 'email' as const, scope: '', externalId: from.email };
  await tx.contactIdentity.upsert({
    where: { workspaceId_channel_scope_externalId: identity },
    create: { ...identity, contactId: into.id },
    update: { contactId: into.id },
    select: { id: true },
  });
}
