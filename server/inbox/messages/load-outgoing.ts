import { contactName } from '#server/contacts/contact-record.ts';
import { pictureIds } from '#server/contract/formatted-text.ts';
import { storedFormatted } from '#server/contract/parse-formatted.ts';
import { withPictures } from '#server/contract/with-pictures.ts';
import { db } from '#server/core/database/prisma.ts';
import { sql } from '#server/core/database/sql.ts';
import type { Prisma } from '#server/generated/prisma/client.ts';
import { findReplyAccount } from '#server/inbox/channels/accounts/find-account.ts';
import { openAccount } from '#server/inbox/channels/accounts/open-account.ts';
import type { OutgoingMessage, QuotedMessage } from '#server/inbox/channels/channel-adapter.ts';
import { openMailbox, sendingMailboxSelect } from '#server/inbox/channels/email/mailboxes.ts';
import { findLastReceived } from '#server/inbox/channels/meta/message-window.ts';
import { sentTemplateShape } from '#server/inbox/channels/whatsapp/send-whatsapp.ts';
import { openFile } from '#server/inbox/files/file-store.ts';
import { findOtherThread, REFERENCES_MAX } from '#server/inbox/messages/other-thread.ts';

/**
 * Loads a message that is being sent, with everything that its channel needs and the account's decrypted secrets.
 * @throws when the message is no longer `sending`: another worker has marked it as interrupted
 */
export async function loadOutgoing(id: string): Promise<OutgoingMessage> {
  const {
    conversation,
    attachments,
    template,
    authorId,
    direction,
    mailTo,
    forwarded,
    createdAt,
    formatted,
    ...message
  } = await db().message.findUniqueOrThrow({
    where: { id, sendStatus: 'sending' },
    select: {
      id: true,
      content: true,
      formatted: true,
      authorName: true,
      authorKind: true,
      deferrals: true,
      providerIds: true,
      createdAt: true,
      authorId: true,
      html: true,
      cc: true,
      bcc: true,
      undeliveredTo: true,
      template: true,
      direction: true,
      mailTo: true,
      forwarded: { select: forwardedSelect },
      attachments: filesSelect,
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
          workspace: {
            select: { mailboxes: { select: sendingMailboxSelect, where: { isDefault: true } } },
          },
          messages: {
            select: { externalId: true, mailReferences: { select: { messageIdHeader: true }, take: 1 } },
            // Other external ids are not Message-IDs. Received emails have theirs only in mail_references.
            where: {
              OR: [{ externalId: { startsWith: '<' } }, { mailReferences: { some: {} } }],
              id: { not: id },
              // A forward is not part of the contact's thread.
              direction: { not: 'forward' },
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
  const other =
    direction === 'outbound' && channel === 'email'
      ? await findOtherThread({ workspaceId, conversationId: rest.id, messageId: id, mailTo })
      : null;
  const sealed = await findReplyAccount(db(), { workspaceId, channel, channelAccountId });
  const account = sealed && openAccount(sealed);
  const identity = contact?.identities.find(
    (each) => each.channel === channel && (each.scope === '' || each.scope === account?.externalId),
  );
  const written = storedFormatted(formatted);
  const shown = new Set(pictureIds(written));
  return {
    ...message,
    formatted:
      written &&
      withPictures(
        written,
        attachments.flatMap(({ contentId }) => contentId ?? []),
      ),
    template: sentTemplateShape.nullable().parse(template),
    attachments: [...attachments, ...(forwarded?.attachments ?? [])].map(
      ({ fileId, contentId, ...file }) => ({
        ...file,
        contentId: contentId !== null && shown.has(contentId) ? contentId : null,
        open: () => openFile(fileId),
      }),
    ),
    forward:
      direction === 'forward'
        ? {
            to: mailTo[0] ?? '',
            original: forwarded && originalOf(forwarded),
          }
        : null,
    answered:
      direction === 'outbound' && channel === 'email' && message.authorKind === 'teammate'
        ? await findAnswered(conversation.id, {
            mailTo,
            before: createdAt,
            contactName: contact && contactName(contact),
          })
        : null,
    mailTo: direction === 'forward' ? [] : mailTo,
    workspaceId,
    conversation: other?.subject ? { ...rest, subject: other.subject } : rest,
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
    signature: message.authorKind === 'teammate' ? await findSignature(workspaceId, authorId) : null,
    references: other?.references ?? messages.flatMap(messageIdOf).reverse(),
  };
}

const filesSelect = {
  select: { id: true, fileId: true, name: true, contentType: true, sizeBytes: true, contentId: true },
  orderBy: { id: 'asc' },
} satisfies Prisma.Message$attachmentsArgs;

const forwardedSelect = {
  direction: true,
  authorName: true,
  content: true,
  fullContent: true,
  createdAt: true,
  attachments: filesSelect,
  // Another conversation than that of the forward if it was merged.
  conversation: { select: { contact: { select: { firstName: true, lastName: true } } } },
} satisfies Prisma.MessageSelect;

type Forwarded = Prisma.MessageGetPayload<{ select: typeof forwardedSelect }>;

/** Returns what a forward quotes: the complete text of the original and its author. */
function originalOf(forwarded: Forwarded): QuotedMessage {
  const { direction, authorName, content, fullContent, createdAt, conversation } = forwarded;
  const { contact } = conversation;
  const author = authorName ?? (direction === 'inbound' && contact ? contactName(contact) : null);
  return { author, text: fullContent ?? content, sentAt: createdAt };
}

type Answered = {
  content: string;
  createdAt: Date;
  senderVerified: boolean | null;
  replyTo: string[];
  isEmail: boolean;
};

/**
 * Returns the contact's newest email before a reply. Only replies of teammates quote: a program that quotes could be used
 * to send a stranger's text to a forged address. For the same reason, an email that failed authentication is not quoted.
 * Neither is one of a teammate, or any email once conversations of several contacts were merged. A reply to other addresses
 * than the contact's quotes only a verified email that named these addresses: others would learn what the contact wrote.
 * @param mailTo recipients instead of the contact
 */
async function findAnswered(
  conversationId: string,
  { mailTo, before, contactName }: { mailTo: string[]; before: Date; contactName: string | null },
): Promise<QuotedMessage | null> {
  const [found] = await sql().$queryRaw<Answered[]>`
    select m.content, m.created_at as "createdAt", m.sender_verified as "senderVerified",
      case when m.reply_to = '{}' then array_remove(array[m.author_address], null) else m.reply_to end as "replyTo",
      exists (select 1 from mail_references r where r.message_id = m.id) as "isEmail"
    from messages m join conversations c on c.id = m.conversation_id
    where m.conversation_id = ${conversationId}::uuid and m.direction = 'inbound' and not m.automatic
      and m.author_name is null and m.created_at <= ${before}::timestamptz
      and not exists (
        select 1 from conversations merged
        where merged.workspace_id = c.workspace_id and merged.merged_into_id = c.id
          and merged.contact_id is distinct from c.contact_id)
    order by m.created_at desc, m.id desc limit 1`;
  if (!found?.isEmail || found.senderVerified === false) return null;
  const isAuthentic = found.senderVerified === true && mailTo.every((each) => found.replyTo.includes(each));
  if (mailTo.length > 0 && !isAuthentic) return null;
  if (found.content.trim() === '') return null;
  return { author: contactName, text: found.content, sentAt: found.createdAt };
}

async function findSignature(workspaceId: string, userId: string | null): Promise<string | null> {
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
