import { contactOf } from '#server/contacts/contact-record.ts';
import { type ReadDb, runRead } from '#server/core/database/batch-reads.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { isUnread, type Reader, readOf } from '#server/inbox/conversations/unread.ts';
import { isPicture } from '#server/inbox/files/content-types.ts';
import { type Search, searchQuery, stemmedWords } from '#server/inbox/lists/search-query.ts';
import { calledAs } from '#server/screens/inbox/name-conversations.ts';
import { snippetOf } from '#server/screens/inbox/snippet.ts';
import type { ConversationRow, FoundIn, InboxRow } from '#server/screens/inbox/views.ts';

export type InboxRowColumns = ConversationRowColumns & {
  tags: string[];
  dueAt: string | null;
  unread: boolean;
  /** Selected for a search only. */
  found?: { in: FoundIn; content: string } | null;
  /** Words of the found text or of the subject that a search finds by their stems. */
  stemmed?: string[] | null;
};

/**
 * Returns the SQL of inbox rows for a teammate.
 * @param places SQL with `id` and `place`, the order of the rows; few rows
 * @param more further columns, from `places p`
 */
export function inboxRowsOf(places: Prisma.Sql, reader: Reader, more = Prisma.empty): Prisma.Sql {
  return Prisma.sql`
    with places as materialized (${places})
    select ${CONVERSATION_ROW_COLUMNS},
      array(select g.name from conversation_tags g where g.conversation_id = c.id
        order by g.created_at, g.position, g.key) as tags,
      c.next_due_at as "dueAt",
      ${isUnread(reader, 'c', 'own_read')} as unread${more}
    from places p cross join lateral (select * from conversations where id = p.id limit 1) c
    ${CONVERSATION_ROW_JOINS}
    left join lateral ${readOf(reader, 'c')} own_read on true
    order by p.place`;
}

/** @param search the search that found the row, if any */
export function inboxRow(
  { tags, dueAt, unread, found, stemmed, ...row }: InboxRowColumns,
  search = '',
): InboxRow {
  const words = stemmed ?? [];
  return {
    ...conversationRow(row),
    tags,
    dueAt: dueAt === null ? null : new Date(dueAt),
    unread,
    match: found ? { in: found.in, snippet: snippetOf(found.content, search, words) } : null,
    stemmed: words,
  };
}

/**
 * Returns the inbox rows of these conversations for a teammate, in this order. One round trip.
 * @param search finds the matching message or note of each row
 */
export async function inboxRows(
  db: ReadDb,
  { reader, ids, search }: { reader: Reader; ids: string[]; search?: Omit<Search, 'workspaceId'> },
): Promise<InboxRow[]> {
  if (ids.length === 0) return [];
  const { workspaceId } = reader;
  const places = Prisma.sql`
    select c.id, given.place from unnest(${ids}::uuid[]) with ordinality given(id, place)
    join conversations c on c.id = given.id where c.workspace_id = ${workspaceId}::uuid`;
  return runRead(
    db,
    withStemmed(
      { ...search, workspaceId },
      inboxRowsOf(places, reader, foundColumn({ ...search, workspaceId })),
    ),
    (rows: InboxRowColumns[]) => rows.map((row) => inboxRow(row, search?.search)),
  );
}

/** Characters of a found message or note that are read for its snippet: as many as are searched. */
const FOUND_LENGTH = 10_000;

/**
 * Returns the column `found`: the newest message of the thread that a search matches, or else the newest note, or else the subject
 * of a merged conversation. Null when the contact or the subject matches, which the row shows. `offset 0` makes the planner check the messages of one conversation
 * instead of searching the index of the whole workspace.
 */
function foundColumn(search: Search): Prisma.Sql {
  const query = searchQuery(search);
  if (!query) return Prisma.empty;
  const merged = Prisma.sql`from conversations x where x.workspace_id = c.workspace_id and x.merged_into_id = c.id`;
  const thread = Prisma.sql`array(select c.id union all select x.id ${merged})`;
  const newest = (kind: string, table: Prisma.Sql) => Prisma.sql`
    (select json_build_object('in', ${kind}::text, 'content', left(f.content, ${FOUND_LENGTH}::int)) from (
        select content, search, created_at from ${table} where conversation_id = any (${thread}) offset 0) f
      where f.search @@ ${query} order by f.created_at desc limit 1)`;
  return Prisma.sql`,
    case when c.search @@ ${query} or k.search @@ ${query} then null
      else coalesce(${newest('message', Prisma.sql`messages`)}, ${newest('note', Prisma.sql`notes`)},
        (select json_build_object('in', 'merged', 'content', x.subject) ${merged} and x.search @@ ${query} limit 1)) end as found`;
}

/** Adds the column `stemmed` to rows of a search. The join ends the order of the rows, so it sorts again. */
function withStemmed(search: Search, rows: Prisma.Sql): Prisma.Sql {
  const words = stemmedWords(search, Prisma.sql`concat_ws(' ', r.subject, r.found->>'content')`);
  return words ? Prisma.sql`select r.*, ${words} as stemmed from (${rows}) r` : rows;
}

/** Length of the preview of the newest message, in characters. */
const PREVIEW_LENGTH = 140;
/** Characters of a message that are read for its preview. An email can be of any length, and a list has many. */
const READ_LENGTH = 2_000;

type PreviewedMessage = {
  content: string;
  attachmentsCount: number;
  attachments: { name: string; contentType: string }[];
};

/** Columns for `conversationRow`, from `conversations c` with `CONVERSATION_ROW_JOINS`. */
const CONVERSATION_ROW_COLUMNS = Prisma.sql`
  c.id, c.subject, c.status, c.channel, c.priority, c.last_message_at as "lastMessageAt", c.contact_claimed and k.email is null as "contactClaimed",
  c.has_failed_reply as "hasFailedReply", c.send_later_at as "sendLaterAt",
  exists (select 1 from pending_replies p where p.conversation_id = c.id and p.problem is null and not p.sends_later) as "isScheduled",
  exists (select 1 from reply_drafts d where d.conversation_id = c.id and not d.is_empty) as "hasDraft",
  ${contactOf('k')} as contact,
  u.name as "assigneeName",
  (select json_build_object('content', left(m.content, ${READ_LENGTH}::int),
      'byContact', m.direction = 'inbound' and not m.automatic,
      'isSending', coalesce(m.send_status in ('queued', 'sending'), false), 'attachmentsCount', m.attachments_count,
      'attachments', case when m.attachments_count = 0 then '[]' else (
        select coalesce(json_agg(f), '[]') from (
          select a.name, a.content_type as "contentType" from attachments a where a.message_id = m.id order by a.id limit 1
        ) f) end)
    from messages m where m.conversation_id = c.id and m.direction <> 'forward' and m.author_kind <> 'automatic'
    order by m.created_at desc limit 1) as message`;

/** Lateral joins force nested loops, so that a page never reads all contacts. */
const CONVERSATION_ROW_JOINS = Prisma.raw(`
  left join lateral (
    select * from contacts where workspace_id = c.workspace_id and id = c.contact_id limit 1) k on true
  left join lateral (select name from users where id = c.assignee_id limit 1) u on true`);

type ConversationRowColumns = Omit<
  ConversationRow,
  'preview' | 'contactName' | 'lastMessageAt' | 'sendLaterAt' | 'reply' | 'turn'
> & {
  lastMessageAt: string;
  sendLaterAt: string | null;
  hasFailedReply: boolean;
  /** A teammate can still undo a reply. */
  isScheduled: boolean;
  contact: Parameters<typeof calledAs>[0];
  message: (PreviewedMessage & { isSending: boolean; byContact: boolean }) | null;
};

/** Returns the start of a message, or a description of its files when it has no text. */
export function previewOf({ content, attachmentsCount, attachments: [first] }: PreviewedMessage): string {
  const text = content.slice(0, READ_LENGTH).replaceAll(/\s+/g, ' ').trim();
  if (text !== '' || attachmentsCount === 0) return text.slice(0, PREVIEW_LENGTH);
  if (attachmentsCount > 1) return `${attachmentsCount} files`;
  if (!first) return 'File';
  return isPicture(first.contentType) ? 'Photo' : `File: ${first.name}`.slice(0, PREVIEW_LENGTH);
}

function conversationRow(row: ConversationRowColumns): ConversationRow {
  return {
    preview: row.message && previewOf(row.message),
    id: row.id,
    subject: row.subject,
    status: row.status,
    channel: row.channel,
    priority: row.priority,
    contactName: calledAs(row.contact),
    contactClaimed: row.contactClaimed,
    assigneeName: row.assigneeName,
    lastMessageAt: new Date(row.lastMessageAt),
    reply: row.hasFailedReply ? 'failed' : row.isScheduled || row.message?.isSending ? 'waiting' : null,
    hasDraft: row.hasDraft,
    sendLaterAt: row.sendLaterAt === null ? null : new Date(row.sendLaterAt),
    turn: turnOf(row),
  };
}

/** Returns who is expected to write next, or null when nobody is. */
function turnOf({ status, message }: ConversationRowColumns): ConversationRow['turn'] {
  if (status === 'solved' || status === 'closed' || message === null) return null;
  return message.byContact ? 'team' : 'contact';
}
