import { calledAs } from '#server/conversations/name-conversations.ts';
import type { ConversationRow } from '#server/conversations/views.ts';
import type { Db } from '#server/db.ts';
import type { Prisma } from '#server/generated/prisma/client.ts';

/** How many conversations a list shows. */
const LIST_MAX = 50;
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

/** The conversations of a contact with the newest message, newest first; merged ones and tests are left out. */
export async function listConversations(
  db: Db,
  { workspaceId, contactId }: { workspaceId: string; contactId: string },
): Promise<ConversationRow[]> {
  const rows = await db.conversation.findMany({
    where: { workspaceId, contactId, mergedIntoId: null, isTest: false },
    select: conversationRowSelect,
    orderBy: [{ lastMessageAt: 'desc' }, { id: 'desc' }],
    take: LIST_MAX,
    relationLoadStrategy: 'join',
  });
  return rows.map(conversationRow);
}
