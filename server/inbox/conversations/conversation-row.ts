import type { Prisma } from '#server/generated/prisma/client.ts';
import { isPicture } from '#server/inbox/attachments/content-types.ts';
import { calledAs } from '#server/inbox/conversations/name-conversations.ts';
import type { ConversationRow } from '#server/inbox/conversations/views.ts';

/** How many characters of the newest message a list carries. */
const PREVIEW_LENGTH = 140;
/** How much of a message its preview is made of: a mail may be of any length, and a list has many. */
const READ_LENGTH = 2_000;

/** What a query must select for `conversationRow`. */
export const conversationRowSelect = {
  id: true,
  subject: true,
  status: true,
  channel: true,
  lastMessageAt: true,
  contactClaimed: true,
  contact: { select: { id: true, firstName: true, lastName: true, email: true, phone: true } },
  assignee: { select: { user: { select: { name: true } } } },
  messages: {
    select: {
      content: true,
      attachmentsCount: true,
      attachments: { select: { name: true, contentType: true }, orderBy: { id: 'asc' }, take: 1 },
    },
    orderBy: { createdAt: 'desc' },
    take: 1,
  },
} satisfies Prisma.ConversationSelect;

type SelectedRow = Prisma.ConversationGetPayload<{ select: typeof conversationRowSelect }>;

type PreviewedMessage = Pick<SelectedRow['messages'][number], 'content' | 'attachmentsCount' | 'attachments'>;

/** The beginning of a message; of one that has files alone, what they are. */
export function previewOf({ content, attachmentsCount, attachments: [first] }: PreviewedMessage): string {
  const text = content.slice(0, READ_LENGTH).replaceAll(/\s+/g, ' ').trim();
  if (text !== '' || attachmentsCount === 0) return text.slice(0, PREVIEW_LENGTH);
  if (attachmentsCount > 1) return `${attachmentsCount} files`;
  if (!first) return 'File';
  return isPicture(first.contentType) ? 'Photo' : `File: ${first.name}`.slice(0, PREVIEW_LENGTH);
}

/** A conversation as lists show it. */
export function conversationRow({ contact, assignee, messages, ...row }: SelectedRow): ConversationRow {
  return {
    preview: messages[0] ? previewOf(messages[0]) : null,
    id: row.id,
    subject: row.subject,
    status: row.status,
    channel: row.channel,
    contactName: calledAs(contact),
    contactClaimed: row.contactClaimed,
    assigneeName: assignee?.user.name ?? null,
    lastMessageAt: row.lastMessageAt,
  };
}
