import { db } from '#server/ground/db.ts';
import { findReplyAccount } from '#server/inbox/channels/accounts/find-reply-account.ts';
import { openAccount } from '#server/inbox/channels/accounts/open-account.ts';
import type { OutgoingMessage } from '#server/inbox/channels/channel-adapter.ts';
import { openFile } from '#server/inbox/files/open-file.ts';
import { contactName } from '#server/people/contacts/contact-record.ts';

/** So many earlier messages are named in a new one; enough for every mail program to keep the thread. */
const REFERENCES_MAX = 20;

const mailboxSelect = { address: true, name: true };

/** A message with all that its channel needs to send it, its account's secrets opened. */
export async function loadOutgoing(id: string): Promise<OutgoingMessage> {
  const { conversation, attachments, ...message } = await db().message.findUniqueOrThrow({
    where: { id },
    select: {
      id: true,
      content: true,
      authorName: true,
      authorKind: true,
      html: true,
      cc: true,
      bcc: true,
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
              phone: true,
              firstName: true,
              lastName: true,
              identities: {
                select: { channel: true, scope: true, externalId: true },
                orderBy: { createdAt: 'desc' },
              },
            },
          },
          mailbox: { select: mailboxSelect },
          workspace: { select: { mailboxes: { select: mailboxSelect, where: { isDefault: true } } } },
          messages: {
            select: { externalId: true, mailReferences: { select: { messageIdHeader: true }, take: 1 } },
            // Other ids are no Message-IDs; those of mails that came in stand among the references alone.
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
    attachments: attachments.map((file) => ({ ...file, open: () => openFile(file.id) })),
    conversation: rest,
    account,
    identity: identity ? { externalId: identity.externalId } : null,
    lastReceivedAt: await findLastReceived(conversation.id),
    contact: contact && { name: contactName(contact), email: contact.email, phone: contact.phone },
    mailbox: mailbox ?? workspace.mailboxes[0] ?? null,
    references: messages.flatMap(messageIdOf).reverse(),
  };
}

/** The Message-ID of a mail, ours or theirs, as a list of one or none. */
export function messageIdOf(message: {
  externalId: string | null;
  mailReferences: { messageIdHeader: string }[];
}): string[] {
  const id = message.mailReferences[0]?.messageIdHeader ?? message.externalId;
  return id?.startsWith('<') ? [id] : [];
}

async function findLastReceived(conversationId: string): Promise<Date | null> {
  const message = await db().message.findFirst({
    where: { conversationId, direction: 'inbound' },
    select: { createdAt: true },
    orderBy: { createdAt: 'desc' },
  });
  return message?.createdAt ?? null;
}
