import { afterCommit } from '#server/core/database/after-commit.ts';
import { db } from '#server/core/database/prisma.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { invalid, notFound, Refusal } from '#server/core/errors.ts';
import { publishConversation } from '#server/core/live/publish.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { refuseBlocked } from '#server/inbox/blocked-senders/find-blocking.ts';
import { discardFiles, type StoredFile } from '#server/inbox/files/store-file.ts';
import {
  findReceived,
  type IncomingMessage,
  type Received,
  type Target,
} from '#server/inbox/messages/incoming-message.ts';
import { receiveMessage, receiveWithin } from '#server/inbox/messages/receive-message.ts';
import { findAddressOwner } from '#server/inbox/messages/refuse-own-address.ts';
import type { Visitor } from '#server/inbox/web-chat/find-visitor.ts';
import { type Introduction, introduceVisitor } from '#server/inbox/web-chat/introduce-visitor.ts';

/** A message of a visitor. The browser creates `id`, so that a repeated request stores the message once. */
export type VisitorMessage = {
  id: string;
  content: string;
  name?: string | undefined;
  /** Lowercase and unverified. */
  email?: string | undefined;
  attachments: StoredFile[];
};

const OWN_ADDRESS =
  'This address belongs to the team you are writing to. Give your own email address, or leave it empty.';

const BLOCKED = 'This team no longer accepts messages from you.';

/**
 * Receives a message of a web chat visitor. Discards its files if the message is refused or was received before.
 * @throws Refusal when the workspace blocks the visitor, the address belongs to the workspace, or the visitor was removed in the meantime
 */
export async function writeMessage(visitor: Visitor, message: VisitorMessage): Promise<void> {
  try {
    await receiveFrom(visitor, message);
  } finally {
    // Files that are linked to the message are not discarded.
    await discardFiles(message.attachments.map((file) => file.id));
  }
}

/**
 * Adds the message to the visitor's conversation, or to a new one if there is none or it is closed. A name and address can
 * come with any message. The address is stored as a claim on the visitor's own contact (docs/rulings.md 3.13).
 */
async function receiveFrom(
  visitor: Visitor,
  { id, content, name, email, attachments }: VisitorMessage,
): Promise<void> {
  const { workspaceId, prefix, hasAddress } = visitor;
  const sender = { emails: email === undefined ? [] : [email], chats: [prefix.replace(/:$/, '')] };
  if ((await refuseBlocked(db(), [workspaceId], sender)).size > 0) throw new Refusal('forbidden', BLOCKED);
  if (email !== undefined && !hasAddress && (await findAddressOwner(db(), { workspaceId, email }))) {
    throw invalid({ email: [OWN_ADDRESS] });
  }
  const incoming: IncomingMessage = {
    workspaceId,
    channel: 'webchat',
    content,
    attachments,
    externalId: `${prefix}${id}`,
  };
  if (await findReceived(incoming)) return;
  await receiveWithin(incoming, async (tx) => {
    const target = await findChat(tx, visitor, { name, email });
    const received = await receiveMessage(tx, incoming, target);
    await updateVisitor(tx, visitor, target, received);
    return received;
  });
}

/**
 * Finds the target of a visitor's message: contact and conversation from the visitor's row. Locks that row before any
 * conversation, so messages of one visitor are received one at a time.
 */
async function findChat(
  tx: SqlDb,
  { tokenHash, workspaceId }: Visitor,
  introduction: Introduction,
): Promise<Target> {
  const visitor = await lockVisitor(tx, tokenHash);
  const { contactId, conversationId } = visitor;
  if (contactId === null) {
    const { name, email: claimedEmail } = introduction;
    const contact = { fields: { name }, claimedEmail };
    return { conversationId, contact, contactClaimed: claimedEmail !== undefined };
  }
  if (conversationId === null) {
    return { conversationId, contact: { id: contactId }, contactClaimed: visitor.contactClaimed };
  }
  const written = { ...visitor, contactId, conversationId, tokenHash, workspaceId };
  const contactClaimed = await introduceVisitor(tx, written, introduction, new Date());
  return { conversationId, contact: { id: contactId }, contactClaimed };
}

/** Stores contact and conversation of the received message for the visitor's next one. */
async function updateVisitor(
  tx: SqlDb,
  { tokenHash, workspaceId }: Visitor,
  { conversationId: before, contact, contactClaimed }: Target,
  { conversationId, contactId }: Received,
): Promise<void> {
  const stays =
    before === conversationId ||
    (before !== null && (await wasMergedInto(tx, { workspaceId, id: before, intoId: conversationId })));
  // The visitor's other open pages listen to the previous conversation.
  if (!stays && before !== null) afterCommit(tx, () => publishConversation(before));
  const moved = Prisma.sql`, conversation_id = ${conversationId}::uuid,
    contact_id = ${'id' in contact ? contact.id : contactId}::uuid, contact_claimed = ${contactClaimed}::boolean`;
  await tx.$executeRaw`
    update visitors set last_seen_at = ${new Date()}::timestamptz${stays ? Prisma.empty : moved}
    where token_hash = ${tokenHash}`;
}

type StoredVisitor = { contactId: string | null; contactClaimed: boolean; conversationId: string | null };

async function lockVisitor(tx: SqlDb, tokenHash: Uint8Array<ArrayBuffer>): Promise<StoredVisitor> {
  const [row] = await tx.$queryRaw<StoredVisitor[]>`
    select contact_id as "contactId", contact_claimed as "contactClaimed", conversation_id as "conversationId"
    from visitors
    where token_hash = ${tokenHash} for no key update`;
  if (!row) throw notFound('The visitor');
  return row;
}

/** Returns whether the conversation was merged into another one. The visitor keeps the merged conversation. */
async function wasMergedInto(
  tx: SqlDb,
  { workspaceId, id, intoId }: { workspaceId: string; id: string; intoId: string },
): Promise<boolean> {
  const merged = await tx.$queryRaw<unknown[]>`
    select 1 from conversations
    where workspace_id = ${workspaceId}::uuid and id = ${id}::uuid and merged_into_id = ${intoId}::uuid`;
  return merged.length === 1;
}
