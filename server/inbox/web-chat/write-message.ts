import { afterCommit } from '#server/core/database/after-commit.ts';
import { isUniqueViolation } from '#server/core/database/errors.ts';
import { db } from '#server/core/database/prisma.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { invalid, notFound } from '#server/core/errors.ts';
import { publishConversation } from '#server/core/live/publish.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { discardFiles, type StoredFile } from '#server/inbox/files/store-file.ts';
import type { IncomingMessage, Place } from '#server/inbox/messages/incoming-message.ts';
import { receiveMessage } from '#server/inbox/messages/receive-message.ts';
import { findAddressOwner } from '#server/inbox/messages/refuse-own-address.ts';
import type { Visitor } from '#server/inbox/web-chat/find-visitor.ts';
import { type Introduction, introduceVisitor } from '#server/inbox/web-chat/introduce-visitor.ts';

/** What a visitor sends. `id` is their browser's; sent again with the same one, it is one message. */
export type VisitorMessage = {
  id: string;
  content: string;
  name?: string | undefined;
  /** Lowercase. No one has verified it. */
  email?: string | undefined;
  attachments: StoredFile[];
};

const OWN_ADDRESS =
  'This address belongs to the team you are writing to. Give your own email address, or leave it empty.';

/**
 * Takes in what a visitor of the web chat wrote. Files of a message that was sent before, or is refused, go.
 * @throws Refusal when the address is the team's own, or the visitor was removed meanwhile
 */
export async function writeMessage(visitor: Visitor, message: VisitorMessage): Promise<void> {
  try {
    await receiveFrom(visitor, message);
  } finally {
    // Those that the message links stay.
    await discardFiles(message.attachments.map((file) => file.id));
  }
}

/**
 * Takes in what they wrote: into their conversation, or a new one when they have none or it is closed. With any message
 * they may say who they are; an address links the conversation to the contact who has it, marked as not verified, and
 * shows the visitor nothing of that contact.
 */
async function receiveFrom(
  visitor: Visitor,
  { id, content, name, email, attachments }: VisitorMessage,
): Promise<void> {
  const { workspaceId, prefix, hasAddress } = visitor;
  if (email !== undefined && !hasAddress && (await findAddressOwner(db(), { workspaceId, email }))) {
    throw invalid({ email: [OWN_ADDRESS] });
  }
  const incoming: IncomingMessage = {
    workspaceId,
    channel: 'webchat',
    subject: null,
    mailboxId: null,
    externalThreadId: null,
    isTest: false,
    content,
    attachmentsCount: attachments.length,
    attachments,
    externalId: `${prefix}${id}`,
  };
  const place = visitorChat(visitor, { name, email });
  try {
    await receiveMessage(incoming, place);
  } catch (error) {
    // Another request created a contact with the address in the meantime: link to it.
    if (email === undefined || !isUniqueViolation(error)) throw error;
    await receiveMessage(incoming, place);
  }
}

/**
 * Returns the place of a visitor's message. The visitor's row says who the visitor is and where they write. It is locked
 * before any conversation, so that two messages of one visitor follow one another.
 */
function visitorChat({ tokenHash, workspaceId }: Visitor, introduction: Introduction): Place {
  return {
    find: async (tx) => {
      const visitor = await lockVisitor(tx, tokenHash);
      const { contactId, conversationId } = visitor;
      if (contactId === null) {
        const contactClaimed = introduction.email !== undefined;
        return { conversationId, contact: { fields: introduction }, contactClaimed };
      }
      if (conversationId === null) {
        return { conversationId, contact: { id: contactId }, contactClaimed: visitor.contactClaimed };
      }
      const written = { ...visitor, contactId, conversationId, tokenHash, workspaceId };
      const introduced = await introduceVisitor(tx, written, introduction, new Date());
      const { contactClaimed } = introduced;
      return { conversationId, contact: { id: introduced.contactId }, contactClaimed };
    },
    settle: async (
      tx,
      { conversationId: before, contact, contactClaimed },
      { conversationId, contactId },
    ) => {
      const stays =
        before === conversationId ||
        (before !== null && (await wasMergedInto(tx, { workspaceId, id: before, intoId: conversationId })));
      // Other pages of the visitor listen to the conversation before.
      if (!stays && before !== null) afterCommit(tx, () => publishConversation(before));
      const moved = Prisma.sql`, conversation_id = ${conversationId}::uuid,
        contact_id = ${'id' in contact ? contact.id : contactId}::uuid, contact_claimed = ${contactClaimed}::boolean`;
      await tx.$executeRaw`
        update visitors set last_seen_at = ${new Date()}::timestamptz${stays ? Prisma.empty : moved}
        where token_hash = ${tokenHash}`;
    },
  };
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

/** A message in a merged conversation went where that was merged into; the visitor's own stays the one they see. */
async function wasMergedInto(
  tx: SqlDb,
  { workspaceId, id, intoId }: { workspaceId: string; id: string; intoId: string },
): Promise<boolean> {
  const merged = await tx.$queryRaw<unknown[]>`
    select 1 from conversations
    where workspace_id = ${workspaceId}::uuid and id = ${id}::uuid and merged_into_id = ${intoId}::uuid`;
  return merged.length === 1;
}
