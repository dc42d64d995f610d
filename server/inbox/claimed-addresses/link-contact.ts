import { validate as isUuid } from 'uuid';
import { contactLabel } from '#server/contacts/contact-label.ts';
import { lockAddresses } from '#server/contacts/lock-addresses.ts';
import { lockVisitors } from '#server/contacts/lock-visitors.ts';
import { refuseErased } from '#server/contacts/refuse-erased.ts';
import { inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { invalid, notFound } from '#server/core/errors.ts';
import { findClaim } from '#server/inbox/claimed-addresses/find-claim.ts';
import { type Change, changeOf } from '#server/inbox/conversations/changes.ts';
import { lockConversation } from '#server/inbox/conversations/lock-conversation.ts';
import { persistChange } from '#server/inbox/conversations/persist-change.ts';
import type { Actor } from '#server/teammates/actor.ts';

/** Keeps the transaction short: each conversation takes two statements. */
const CONVERSATIONS_MAX = 200;

/**
 * Links a conversation's contact to the contact who has the address that they claim (docs/rulings.md 3.13). All their
 * conversations become the owner's, and later ones too. The contact remains, so that the link can be undone.
 * Emits no event.
 * @param ownerId the owner that the teammate saw
 * @throws Refusal when the conversation has no claim or its address belongs to another contact now
 */
export async function linkContact(link: {
  workspaceId: string;
  conversationId: string;
  ownerId: string;
  actor: Actor;
}): Promise<void> {
  const { workspaceId, ownerId, actor } = link;
  await inTransaction(async (tx) => {
    await lockAddresses(tx, { workspaceId });
    const claim = await findClaim(tx, link);
    if (claim?.ownerId !== ownerId) throw invalid({ contact: [CHANGED] });
    await linkToOwner(tx, { workspaceId, contactId: claim.contactId, ownerId, actor });
  });
}

const CHANGED = 'This conversation or its contact has changed. Reload the page to see the current details.';

/**
 * Links a contact to the owner of an address, in the transaction of the caller, which has locked the addresses: a merge
 * locks the same conversations and contacts in another order. Locks visitors before conversations.
 * @param email the address, if the owner confirmed it
 * @throws Refusal when one of the contacts will be erased
 */
export async function linkToOwner(
  tx: Tx,
  link: { workspaceId: string; contactId: string; ownerId: string; actor: Actor; email?: string },
): Promise<void> {
  const { workspaceId, contactId, ownerId, actor, email } = link;
  await lockVisitors(tx, link);
  const owner = await tx.contact.findUnique({ where: { workspaceId_id: { workspaceId, id: ownerId } } });
  if (!owner) throw notFound('The contact');
  await tx.contactLink.upsert({
    where: { contactId },
    create: { workspaceId, contactId, ownerId },
    update: { ownerId },
    select: { contactId: true },
  });
  const change = changeOf({
    columns: { contactId: ownerId, contactClaimed: false, linkedFromId: contactId },
    entries: [
      ...(email === undefined ? [] : [{ kind: 'address_verified' as const, data: { email } }]),
      { kind: 'contact_linked', data: { contactName: contactLabel(owner) } },
    ],
  });
  await changeEach(tx, { workspaceId, where: { contactId }, actor, change });
  // Last, as contacts are locked after conversations.
  const ids = [contactId, ownerId];
  await tx.$executeRaw`
    select from contacts where workspace_id = ${workspaceId}::uuid and id = any(${ids}::uuid[]) order by id for no key update`;
  await refuseErased(tx, { workspaceId, ids, to: 'link' });
}

/**
 * Undoes the link of a conversation: it and all others that the link moved belong to the contact who wrote them, as
 * before.
 * @throws Refusal when the conversation is not linked
 */
export async function unlinkContact(which: {
  workspaceId: string;
  conversationId: string;
  actor: Actor;
}): Promise<void> {
  const { workspaceId, conversationId, actor } = which;
  await inTransaction(async (tx) => {
    await lockAddresses(tx, { workspaceId });
    const linkedFromId = await findLink(tx, { workspaceId, conversationId });
    if (linkedFromId === null) throw invalid({ contact: [CHANGED] });
    await lockVisitors(tx, { workspaceId, contactId: linkedFromId });
    const change = changeOf({
      columns: { contactId: linkedFromId, contactClaimed: true, linkedFromId: null },
      entries: [{ kind: 'contact_unlinked', data: {} }],
    });
    await changeEach(tx, { workspaceId, where: { linkedFromId }, actor, change });
    await tx.contactLink.deleteMany({ where: { workspaceId, contactId: linkedFromId } });
  });
}

async function findLink(
  tx: Tx,
  { workspaceId, conversationId: id }: { workspaceId: string; conversationId: string },
): Promise<string | null> {
  if (!isUuid(id)) throw notFound('The conversation');
  const where = { workspaceId_id: { workspaceId, id } };
  const found = await tx.conversation.findUnique({ where, select: { linkedFromId: true } });
  if (!found) throw notFound('The conversation');
  return found.linkedFromId;
}

/** Applies the change to each of the conversations, in the order of their ids, to avoid deadlocks. */
export async function changeEach(
  tx: Tx,
  input: {
    workspaceId: string;
    where: { contactId: string } | { linkedFromId: string };
    actor: Actor;
    change: Change;
  },
): Promise<void> {
  const { workspaceId, where, actor, change } = input;
  const found = await tx.conversation.findMany({
    where: { workspaceId, ...where },
    select: { id: true },
    orderBy: { id: 'asc' },
    take: CONVERSATIONS_MAX + 1,
  });
  if (found.length > CONVERSATIONS_MAX) {
    const message = `This contact has more than ${CONVERSATIONS_MAX} conversations, which is too many to link.`;
    throw invalid({ contact: [message] });
  }
  const now = new Date();
  for (const { id } of found) {
    const conversation = await lockConversation(tx, { workspaceId, id });
    await persistChange(tx, conversation, { actor, change, now });
  }
}
