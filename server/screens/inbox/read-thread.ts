import { z } from 'zod';
import { type ReadDb, runRead } from '#server/core/database/batch-reads.ts';
import type { Db } from '#server/core/database/prisma.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { MERGED_MAX } from '#server/inbox/conversations/merge-conversations.ts';
import { runJson } from '#server/screens/inbox/command-runs.ts';
import { nameConversations } from '#server/screens/inbox/name-conversations.ts';
import {
  conversationNamedIn,
  type ThreadContent,
  type ThreadRow,
  threadItem,
} from '#server/screens/inbox/thread-items.ts';
import type { ThreadPage } from '#server/screens/inbox/thread-views.ts';
import type { Visibility } from '#server/teammates/visibility.ts';

/** Items per page of a thread. */
export const THREAD_PAGE = 100;

/** Maximum length of the shown start of an answered message, in characters. */
const ANSWERED_MAX_LENGTH = 160;
/** Marks a picture on another server in the cleaned HTML of an email. */
const REMOTE_MARK = ' data-remote="';

/** The conversation. `before` is the `earlier` cursor of the following page. */
type Which = { workspaceId: string; conversationId: string; before?: string | undefined };

/** Rows of a thread, oldest first. */
export type ThreadRows = { rows: ThreadRow[]; earlier: string | null };

/**
 * Returns messages, notes and timeline entries of a conversation, and the messages and notes of those that were merged into
 * it, as one list, oldest first: the newest page, or the page before `before`. An invalid cursor returns the newest page.
 * One round trip. Each kind is read from the end of its index in each of at most `MERGED_MAX` + 1 conversations, so that
 * the cost does not grow with the conversation.
 */
export function readThread(db: ReadDb, which: Which): Promise<ThreadRows> {
  return runRead(db, statement(which), threadRows);
}

function threadRows(
  found: { micros: string; mergedFromId: string | null; row: ThreadContent }[],
): ThreadRows {
  const page = found.slice(0, THREAD_PAGE).reverse();
  const first = page[0];
  return {
    rows: page.map(({ micros, mergedFromId, row }) => ({
      ...row,
      mergedFromId,
      createdAt: new Date(Number(micros) / 1000),
    })),
    earlier: found.length > THREAD_PAGE && first ? `${first.micros}_${first.row.id}` : null,
  };
}

/** Converts rows to thread items. One more round trip when rows mention merges. */
export async function threadPage(
  db: Db,
  { rows, earlier }: ThreadRows,
  {
    workspaceId,
    visibility,
    contactName,
  }: { workspaceId: string; visibility?: Visibility | null | undefined; contactName: string | null },
): Promise<ThreadPage> {
  const ids = rows.flatMap((row) => conversationNamedIn(row) ?? []);
  const others = await nameConversations(db, { workspaceId, visibility, ids: [...new Set(ids)] });
  return { items: rows.map((row) => threadItem(row, { contactName, others })), earlier };
}

/** Cursor: timestamp in µs since the epoch, with the id as tie-breaker. */
const cursor = z
  .string()
  .regex(/^\d{1,16}_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  .transform((text) => {
    const [micros = '', id = ''] = text.split('_');
    return { micros, id };
  });

/** Several recipients in To, those of a reply that is not sent to the contact, or one with a subaddress that the sender chose. Reply and bounce addresses have none. */
const NAMES_RECIPIENTS = Prisma.sql`(cardinality(m.mail_to) > 1
  or m.direction = 'outbound' and m.mail_to <> '{}'
  or m.direction = 'inbound' and m.mail_to[1] ~ '^(?!reply[+]|bounce[+])[^@]+[+]')`;

/** Items with the same timestamp are ordered by id, which grows with time. */
function statement({ workspaceId, conversationId, before }: Which): Prisma.Sql {
  const position = cursor.safeParse(before).data;
  const timestamp = Prisma.sql`timestamptz 'epoch' + ${position?.micros ?? '0'}::bigint * interval '1 microsecond'`;
  const newest = (kind: string, table: Prisma.Sql, conversation = Prisma.sql`sources.id`) => Prisma.sql`(
    select ${kind} as kind, id, conversation_id, created_at from ${table}
    where conversation_id = ${conversation} and workspace_id = ${workspaceId}::uuid
      ${position ? Prisma.sql`and (created_at, id) < (${timestamp}, ${position.id}::uuid)` : Prisma.empty}
    order by created_at desc, id desc limit ${THREAD_PAGE + 1})`;
  return Prisma.sql`
    with sources as materialized (
      select ${conversationId}::uuid as id
      union all (select id from conversations
        where workspace_id = ${workspaceId}::uuid and merged_into_id = ${conversationId}::uuid limit ${MERGED_MAX}::int)
    ), newest as (
      select written.* from sources cross join lateral (
        ${newest('message', Prisma.sql`messages`)}
        union all ${newest('note', Prisma.sql`notes`)}
      ) written
      union all ${newest('entry', Prisma.sql`timeline_entries`, Prisma.sql`${conversationId}::uuid`)}
      order by created_at desc, id desc limit ${THREAD_PAGE + 1}
    )
    select (extract(epoch from newest.created_at) * 1000000)::bigint::text as micros,
      nullif(newest.conversation_id, ${conversationId}::uuid) as "mergedFromId",
      case newest.kind
        when 'message' then json_build_object(
          'kind', 'message', 'id', m.id, 'actorKind', m.author_kind, 'actorName', m.author_name, 'programName', m.program_name, 'authorAddress', m.author_address,
          'direction', m.direction, 'content', m.content, 'formatted', m.formatted, 'sendStatus', m.send_status,
          'deliveryError', m.delivery_error, 'isDismissed', m.failure_dismissed_at is not null, 'arrivalDoubtful', m.arrival_doubtful, 'isTemplate', m.template is not null, 'attachmentsCount', m.attachments_count,
          'mail', case when m.automatic or m.trimmed or m.html is not null or m.original_file_id is not null
            then json_build_object(
              'isAutomatic', m.automatic, 'isTrimmed', m.trimmed,
              'sender', case when m.direction <> 'inbound' or m.sender_verified then 'verified'
                when m.sender_verified is null then 'unknown' else 'not_verified' end,
              'hasHtml', m.html is not null, 'hasRemotePictures', coalesce(strpos(m.html, ${REMOTE_MARK}) > 0, false),
              'hasOriginal', m.original_file_id is not null, 'invitation', m.invitation) end,
          'recipients', case when ${NAMES_RECIPIENTS} or m.cc <> '{}' or m.bcc <> '{}' then json_build_object(
            'to', case when ${NAMES_RECIPIENTS} then m.mail_to else '{}' end, 'cc', m.cc, 'bcc', m.bcc) end,
          'forward', case when m.direction = 'forward' then json_build_object('to', m.mail_to[1], 'filesCount', (
            select count(*) from attachments a where a.message_id = m.forwarded_id)) end,
          'context', case when m.context is not null then json_build_object(
            'answers', coalesce((select json_build_object('id', a.id, 'content', left(a.content, ${ANSWERED_MAX_LENGTH}::int),
              'author', a.author_name, 'isOurs', a.direction <> 'inbound', 'files', a.attachments_count)
              from messages a where a.id = (m.context->>'answersId')::uuid and a.workspace_id = ${workspaceId}::uuid),
              case when m.context->'quoted' is not null then json_build_object('id', null, 'content', left(m.context->'quoted'->>'content', ${ANSWERED_MAX_LENGTH}::int),
                'author', m.context->'quoted'->>'author', 'isOurs', false, 'files', m.context->'quoted'->'files') end),
            'isAboutStory', (m.context->>'isAboutStory')::boolean, 'isForwarded', (m.context->>'isForwarded')::boolean,
            'ad', m.context->'ad') end,
          'reactions', (
            select coalesce(json_agg(json_build_object('emoji', x.emoji, 'name', coalesce(x.author_name, x.author))
              order by x.created_at), '[]')
            from reactions x where x.workspace_id = ${workspaceId}::uuid and x.message_id = m.id),
          'attachments', case when m.attachments_count = 0 and m.html is null and m.formatted is null then '[]' else (
            select coalesce(json_agg(json_build_object(
              'id', a.id, 'name', a.name, 'contentType', a.content_type, 'sizeBytes', a.size_bytes, 'inline', a.inline,
              'fileId', case when a.inline and m.formatted is not null then a.content_id end
            ) order by a.id), '[]') from attachments a where a.message_id = m.id
          ) end)
        when 'note' then json_build_object(
          'kind', 'note', 'id', n.id, 'actorKind', n.author_kind, 'actorName', n.author_name, 'programName', n.program_name,
          'content', n.content, 'formatted', n.formatted, 'isCommand', n.command_run_id is not null,
          'ownerId', case when n.command_run_id is null and n.author_kind in ('teammate', 'workflow') then n.author_id end,
          'attachments', (
            select coalesce(json_agg(json_build_object(
              'id', f.id, 'name', f.name, 'contentType', f.content_type, 'sizeBytes', f.size_bytes, 'fileId', f.file_id
            ) order by f.position), '[]') from note_files f where f.note_id = n.id and n.deleted_at is null),
          'version', n.version, 'editedAt', n.edited_at, 'isDeleted', n.deleted_at is not null,
          'run', case when n.command_run_id is not null then ${runJson(Prisma.sql`n.command_run_id`)} end,
          'mentioned', (
            select coalesce(json_agg(handle), '[]') from note_mentions nm join users u on u.id = nm.user_id,
              unnest(array[u.name, u.email]) handle where nm.note_id = n.id))
        else json_build_object(
          'kind', 'entry', 'id', e.id, 'actorKind', e.actor_kind, 'actorName', e.actor_name,
          'actorId', e.actor_id, 'entryKind', e.kind, 'data', e.data)
      end as row
    from newest
    left join messages m on newest.kind = 'message' and m.id = newest.id
    left join notes n on newest.kind = 'note' and n.id = newest.id
    left join timeline_entries e on newest.kind = 'entry' and e.id = newest.id
    order by newest.created_at desc, newest.id desc`;
}
