import { contactName } from '#server/contacts/contact-record.ts';
import { db } from '#server/core/database/prisma.ts';
import { findReplyAccount } from '#server/inbox/channels/accounts/find-account.ts';
import { openAccount } from '#server/inbox/channels/accounts/open-account.ts';
import type { OutgoingMessage } from '#server/inbox/channels/channel-adapter.ts';
import { openMailbox, sendingMailboxSelect } from '#server/inbox/channels/email/mailboxes.ts';
import { findLastReceived } from '#server/inbox/channels/meta/message-window.ts';
import { sentTemplateShape } from '#server/inbox/channels/whatsapp/send-whatsapp.ts';
import { openFile } from '#server/inbox/files/file-store.ts';

/** Maximum number of earlier messages in References. Enough for email programs to find the thread. */
const REFERENCES_MAX = 20;

/**
 * Loads a message that is being sent, with everything that its channel needs and the account's decrypted secrets.
 * @throws when the message is no longer `sending`: another worker has marked it as interrupted
 */
export async function loadOutgoing(id: string): Promise<OutgoingMessage> {
  const { conversation, attachments, template, authorId, ...message } = await db().message.findUniqueOrThrow({
    where: { id, sendStatus: 'sending' },
    select: {
      id: true,
      content: true,
      authorName: true,
      authorKind: true,
      deferrals: true,
      authorId: true,
      html: true,
      cc: true,
      bcc: true,
      template: true,
      attachments: {
        select: { id: true, name: true, contentType: true, sizeBytes: true },
        orderBy: { id: 'asc' },
      },
      conversation: {
        select: {
          id: true,
          workspaceId: true,
          subject: true,
          channel: true,
          externalThreadId: true,
          channelAccountId: true,
          contact: {
            select: {
              email: true,
              claimedEmail: true,
              phone: true,
              firstName: true,
              lastName: true,
              identities: {
                select: { channel: true, scope: true, externalId: true },
                orderBy: { createdAt: 'desc' },
              },
            },
          },
          mailbox: { select: sendingMailboxSelect },
          workspace: { select: { mailboxes: { select: sendingMailboxSelect, where: { isDefault: true } } } },
          messages: {
            select: { externalId: true, mailReferences: { select: { messageIdHeader: true }, take: 1 } },
            // Other external ids are not Message-IDs. Received emails have theirs only in mail_references.
            where: {
              OR: [{ externalId: { startsWith: '<' } }, { mailReferences: { some: {} } }],
              id: { not: id },
            },
            orderBy: { createdAt: 'desc' },
            take: REFERENCES_MAX,
          },
        },
      },
    },
    relationLoadStrategy: 'join',
  });
  const { contact, mailbox, workspace, messages, workspaceId, channelAccountId, ...rest } = conversation;
  const { channel } = rest;
  const sealed = await findReplyAccount(db(), { workspaceId, channel, channelAccountId });
  const account = sealed && openAccount(sealed);
  const identity = contact?.identities.find(
    (each) => each.channel === channel && (each.scope === '' || each.scope === account?.externalId),
  );
  return {
    ...message,
    template: sentTemplateShape.nullable().parse(template),
    attachments: attachments.map((file) => ({ ...file, open: () => openFile(file.id) })),
    conversation: rest,
    account,
    identity: identity ? { externalId: identity.externalId } : null,
    lastReceivedAt: await findLastReceived(db(), conversation.id),
    // An unverified sender is answered at the address that their mail was from.
    contact: contact && {
      name: contactName(contact),
      email: contact.email ?? contact.claimedEmail,
      phone: contact.phone,
    },
    mailbox: openMailbox(mailbox ?? workspace.mailboxes[0] ?? null),
    signature:
      message.authorKind === 'teammate' ? await findSignature({ workspaceId, userId: authorId }) : null,
    references: messages.flatMap(messageIdOf).reverse(),
  };
}

async function findSignature({
  workspaceId,
  userId,
}: {
  workspaceId: string;
  userId: string | null;
}): Promise<string | null> {
  if (userId === null) return null;
  const where = { workspaceId_userId: { workspaceId, userId } };
  return (await db().member.findUnique({ where, select: { signature: true } }))?.signature ?? null;
}

/** Returns a list with the Message-ID of a sent or received email, or an empty list. */
export function messageIdOf(message: {
  externalId: string | null;
  mailReferences: { messageIdHeader: string }[];
}): string[] {
  const id = message.mailReferences[0]?.messageIdHeader ?? message.externalId;
  return id?.startsWith('<') ? [id] : [];
}
