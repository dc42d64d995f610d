import type { Prisma } from '#server/generated/prisma/client.ts';
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
  messages: { select: { content: true }, orderBy: { createdAt: 'desc' }, take: 1 },
} satisfies Prisma.ConversationSelect;

type SelectedRow = Prisma.ConversationGetPayload<{ select: typeof conversationRowSelect }>;

function previewOf(content: string): string {
  return content.slice(0, READ_LENGTH).replaceAll(/\s+/g, ' ').trim().slice(0, PREVIEW_LENGTH);
}

/** A conversation as lists show it. */
export function conversationRow({ contact, assignee, messages, ...row }: SelectedRow): ConversationRow {
  return {
    preview: messages[0] ? previewOf(messages[0].content) : null,
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
