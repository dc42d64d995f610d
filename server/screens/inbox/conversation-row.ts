import { Prisma } from '#server/generated/prisma/client.ts';
import { isPicture } from '#server/inbox/files/content-types.ts';
import { calledAs, contactOf } from '#server/screens/inbox/name-conversations.ts';
import type { ConversationRow } from '#server/screens/inbox/views.ts';

/** How many characters of the newest message a list carries. */
const PREVIEW_LENGTH = 140;
/** How much of a message its preview is made of: a mail may be of any length, and a list has many. */
const READ_LENGTH = 2_000;

type PreviewedMessage = {
  content: string;
  attachmentsCount: number;
  attachments: { name: string; contentType: string }[];
};

/** What a statement selects for `conversationRow`, of `conversations c` with `CONVERSATION_ROW_JOINS`. */
export const CONVERSATION_ROW_COLUMNS = Prisma.sql`
  c.id, c.subject, c.status, c.channel, c.last_message_at as "lastMessageAt", c.contact_claimed as "contactClaimed",
  ${contactOf('k')} as contact,
  u.name as "assigneeName",
  (select json_build_object('content', left(m.content, ${READ_LENGTH}::int), 'attachmentsCount', m.attachments_count,
      'attachments', case when m.attachments_count = 0 then '[]' else (
        select coalesce(json_agg(f), '[]') from (
          select a.name, a.content_type as "contentType" from attachments a where a.message_id = m.id order by a.id limit 1
        ) f) end)
    from messages m where m.conversation_id = c.id order by m.created_at desc limit 1) as message`;

/** Nested loops by construction, so that a page never reads all contacts. */
export const CONVERSATION_ROW_JOINS = Prisma.raw(`
  left join lateral (
    select * from contacts where workspace_id = c.workspace_id and id = c.contact_id limit 1) k on true
  left join lateral (select name from users where id = c.assignee_id limit 1) u on true`);

/** A row of them as JSON. */
export type ConversationRowColumns = Omit<ConversationRow, 'preview' | 'contactName' | 'lastMessageAt'> & {
  lastMessageAt: string;
  contact: Parameters<typeof calledAs>[0];
  message: PreviewedMessage | null;
};

/** The beginning of a message; of one that has files alone, what they are. */
export function previewOf({ content, attachmentsCount, attachments: [first] }: PreviewedMessage): string {
  const text = content.slice(0, READ_LENGTH).replaceAll(/\s+/g, ' ').trim();
  if (text !== '' || attachmentsCount === 0) return text.slice(0, PREVIEW_LENGTH);
  if (attachmentsCount > 1) return `${attachmentsCount} files`;
  if (!first) return 'File';
  return isPicture(first.contentType) ? 'Photo' : `File: ${first.name}`.slice(0, PREVIEW_LENGTH);
}

/** A conversation as lists show it. */
export function conversationRow(row: ConversationRowColumns): ConversationRow {
  return {
    preview: row.message && previewOf(row.message),
    id: row.id,
    subject: row.subject,
    status: row.status,
    channel: row.channel,
    contactName: calledAs(row.contact),
    contactClaimed: row.contactClaimed,
    assigneeName: row.assigneeName,
    lastMessageAt: new Date(row.lastMessageAt),
  };
}
