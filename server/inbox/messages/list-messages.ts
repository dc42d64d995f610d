import { validate as isUuid } from 'uuid';
import type { EventActor } from '#server/contract/event-actor.ts';
import type { LogCursor } from '#server/core/cursor.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { settings } from '#server/core/env.ts';
import { notFound } from '#server/core/errors.ts';
import { timestamp, timestampOrNull } from '#server/core/timestamp.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { ActorKind, MessageDirection, SendStatus } from '#server/generated/prisma/enums.ts';
import { type ChangeOrder, IS_SHOWN_TO_PROGRAMS } from '#server/inbox/conversations/list-by-change.ts';
import { MERGED_MAX } from '#server/inbox/conversations/merge-conversations.ts';
import { EVENT_ACTOR_OF } from '#server/teammates/actor.ts';

type MessageFile = {
  id: string;
  name: string;
  content_type: string;
  size_bytes: number;
  is_inline: boolean;
  url: string;
};

/** A message of a conversation as programs see it. */
export type MessageDetails = {
  id: string;
  conversation_id: string;
  direction: MessageDirection;
  author: EventActor & { email: string | null };
  program: string | null;
  content: string;
  is_automatic: boolean;
  to: string[];
  cc: string[];
  bcc: string[];
  attachments: MessageFile[];
  send_status: Exclude<SendStatus, 'queued' | 'sending'> | null;
  delivery_error: string | null;
  created_at: string;
  edited_at: string | null;
};

/** A note of a conversation as programs see it. */
export type NoteDetails = {
  id: string;
  conversation_id: string;
  author: EventActor;
  program: string | null;
  content: string;
  created_at: string;
};

/** Maximum size of a page. A literal, as in `listConversationsByChange`. */
const PAGE_AND_ONE = Prisma.raw('101');

type Which = { workspaceId: string; conversationId: string };
type Page = { after: LogCursor | null; limit: number; order?: ChangeOrder | undefined };
/** A record and its position in the list. */
type Listed<Item> = { item: Item; position: LogCursor };

type AuthorRow = {
  authorKind: ActorKind;
  authorId: string | null;
  authorName: string | null;
  programName: string | null;
};
type PlacedRow = { id: string; conversationId: string; createdAt: Date; content: string; micros: string };
type MessageRow = PlacedRow &
  AuthorRow & {
    direction: MessageDirection;
    authorAddress: string | null;
    contact: { id: string; name: string | null; email: string | null } | null;
    automatic: boolean;
    mailTo: string[];
    cc: string[];
    bcc: string[];
    sendStatus: SendStatus | null;
    deliveryError: string | null;
    editedAt: Date | null;
    files: Omit<MessageFile, 'url'>[];
  };

/**
 * Returns messages of a conversation and of those that were merged into it, after a position. One statement: it reads the start
 * of an index in each of at most `MERGED_MAX` + 1 conversations.
 * @param page.limit at most 100
 * @param page.order by time: `asc`, the default, starts with the oldest
 * @throws Refusal when programs see no such conversation
 */
export async function listMessages(db: SqlDb, which: Which, page: Page): Promise<Listed<MessageDetails>[]> {
  const rows = await db.$queryRaw<(MessageRow | MissingRow)[]>`
    ${placesOf('messages', which, page)}
    select ${PLACED}, m.direction, m.author_kind as "authorKind", m.author_id as "authorId", m.author_name as "authorName",
      m.program_name as "programName", m.author_address as "authorAddress", m.automatic, m.mail_to as "mailTo", m.cc, m.bcc, m.send_status as "sendStatus",
      m.delivery_error as "deliveryError", m.edited_at as "editedAt",
      case when k.id is not null then json_build_object('id', k.id, 'email', k.email,
        'name', nullif(concat_ws(' ', k.first_name, k.last_name), '')) end as contact,
      case when m.attachments_count = 0 and m.html is null and m.formatted is null then '[]' else (
        select coalesce(json_agg(json_build_object('id', a.id, 'name', a.name, 'content_type', a.content_type,
          'size_bytes', a.size_bytes, 'is_inline', a.inline) order by a.id), '[]')
        from attachments a where a.message_id = m.id) end as files
    from shown left join places p on true
    left join lateral (select * from messages where id = p.id limit 1) m on true
    left join lateral (select contact_id from conversations where id = m.conversation_id limit 1) c on m.direction = 'inbound'
    left join lateral (
      select * from contacts where workspace_id = ${which.workspaceId}::uuid and id = c.contact_id limit 1) k on true
    ${sorted(page, 'p.')}`;
  return placed(rows, messageDetails);
}

/** Returns notes of a conversation and of those that were merged into it, as `listMessages` returns messages. Deleted ones are left out. */
export async function listNotes(db: SqlDb, which: Which, page: Page): Promise<Listed<NoteDetails>[]> {
  const rows = await db.$queryRaw<((PlacedRow & AuthorRow) | MissingRow)[]>`
    ${placesOf('notes', which, page)}
    select ${PLACED}, m.author_kind as "authorKind", m.author_id as "authorId", m.author_name as "authorName",
      m.program_name as "programName"
    from shown left join places p on true left join lateral (select * from notes where id = p.id limit 1) m on true
    order by p.created_at, p.id`;
  return placed(rows, (row) => ({
    id: row.id,
    conversation_id: row.conversationId,
    author: authorOf(row),
    program: row.programName,
    content: row.content,
    created_at: timestamp(row.createdAt),
  }));
}

/** The row of a conversation without messages. */
type MissingRow = { id: null };

function placed<Row extends PlacedRow, Item>(
  rows: (Row | MissingRow)[],
  itemOf: (row: Row) => Item,
): Listed<Item>[] {
  if (rows.length === 0) throw notFound('The conversation');
  return rows.flatMap((row) =>
    row.id === null ? [] : [{ item: itemOf(row), position: { micros: row.micros, id: row.id } }],
  );
}

const PLACED = Prisma.sql`p.id, m.conversation_id as "conversationId", m.created_at as "createdAt", m.content,
  (extract(epoch from p.created_at) * 1000000)::bigint::text as micros`;

/** Returns the CTEs of a page: `shown` has a row if programs see the conversation, `places` has the records in order. */
function placesOf(
  table: 'messages' | 'notes',
  { workspaceId, conversationId }: Which,
  page: Page,
): Prisma.Sql {
  const { after, limit, order = 'asc' } = page;
  if (!isUuid(conversationId)) throw notFound('The conversation');
  const isAfter = after
    ? Prisma.sql`(created_at, id) ${Prisma.raw(order === 'asc' ? '>' : '<')}
        (timestamptz 'epoch' + ${after.micros}::bigint * interval '1 microsecond', ${after.id}::uuid)`
    : Prisma.sql`true`;
  return Prisma.sql`with shown as materialized (
      select c.id from conversations c
      where c.workspace_id = ${workspaceId}::uuid and c.id = ${conversationId}::uuid and ${IS_SHOWN_TO_PROGRAMS}
    ), sources as materialized (
      select id from shown
      union all (select c.id from shown join conversations c on c.workspace_id = ${workspaceId}::uuid
        and c.merged_into_id = shown.id and c.removal is null limit ${Prisma.raw(String(MERGED_MAX))})
    ), places as materialized (
      select * from (
        select each.id, each.created_at from sources cross join lateral (
          select id, created_at from ${Prisma.raw(table)} where conversation_id = sources.id and ${isAfter}
            ${table === 'notes' ? Prisma.sql`and deleted_at is null` : Prisma.empty}
          ${sorted(page)} limit ${PAGE_AND_ONE}) each
        ${sorted(page, 'each.')} limit ${PAGE_AND_ONE}) first
      ${sorted(page)} limit ${limit}::int)`;
}

function sorted({ order = 'asc' }: Page, of: 'p.' | 'each.' | '' = ''): Prisma.Sql {
  return Prisma.raw(`order by ${of}created_at ${order}, ${of}id ${order}`);
}

/** Serializes a message for programs. */
function messageDetails(row: MessageRow): MessageDetails {
  const { sendStatus, contact, direction, authorName } = row;
  // Others than the contact have a name: people in copy, and visitors after a merge.
  const isContact = direction === 'inbound' && row.authorKind === 'contact' && authorName === null;
  return {
    id: row.id,
    conversation_id: row.conversationId,
    direction,
    author: {
      ...(isContact
        ? { type: 'contact', id: contact?.id ?? null, name: contact?.name ?? null }
        : authorOf(row)),
      email: row.authorAddress ?? (isContact ? (contact?.email ?? null) : null),
    },
    program: row.programName,
    content: row.content,
    is_automatic: row.automatic,
    to: row.mailTo,
    cc: row.cc,
    bcc: row.bcc,
    attachments: row.files.map((file) => ({
      ...file,
      url: `${settings().BASE_URL}/attachments/${file.id}`,
    })),
    send_status: sendStatus === 'queued' || sendStatus === 'sending' ? null : sendStatus,
    delivery_error: row.deliveryError,
    created_at: timestamp(row.createdAt),
    edited_at: timestampOrNull(row.editedAt),
  };
}

function authorOf({ authorKind, authorId, authorName }: AuthorRow): EventActor {
  return { type: EVENT_ACTOR_OF[authorKind], id: authorId, name: authorName };
}
