import { validate as isUuid } from 'uuid';
import { type ReadDb, runRead } from '#server/core/database/batch-reads.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { Role } from '#server/generated/prisma/enums.ts';
import { type ContactBlock, contactBlocks } from '#server/inbox/blocked-senders/contact-blocks.ts';
import { isReadableBy, type MemberView } from '#server/inbox/conversations/readable-conversations.ts';
import { isVisible } from '#server/inbox/conversations/visible-conversations.ts';
import { blockView } from '#server/screens/inbox/blocked-sentences.ts';
import type { ContactHistory } from '#server/screens/inbox/views.ts';

/** Maximum numbers of conversations and files in the history. */
const CONVERSATIONS_SHOWN = 5;
const FILES_SHOWN = 5;
/** Newest conversations of the contact, and newest messages of each, that are searched for files and the last contact. */
const CONVERSATIONS_READ = 20;
const MESSAGES_READ = 200;

/**
 * Returns what else happened with the contact of a conversation: the newest of the other conversations that the teammate sees and of their files, without merged
 * conversations, spam, deleted ones and tests. Also returns why the contact is blocked. The cost does not grow with long conversations.
 * @param id any text; a conversation that is unknown, that the teammate cannot read, or that has no contact has no history
 */
export function getContactHistory(
  db: ReadDb,
  { workspaceId, id, role, visibility }: MemberView & { workspaceId: string; id: string },
): Promise<ContactHistory> {
  if (!isUuid(id)) return Promise.resolve(historyOf(undefined, role));
  const statement = Prisma.sql`
    with known as materialized (
      select c.id, c.subject, c.status, c.channel, c.last_message_at from conversations c
      where c.workspace_id = ${workspaceId}::uuid and c.contact_id = (
          select c.contact_id from conversations c
          where c.workspace_id = ${workspaceId}::uuid and c.id = ${id}::uuid and ${isReadableBy({ role, visibility })})
        and c.merged_into_id is null and not c.is_test and c.removal is null and ${isVisible(visibility, 'c')}
      order by c.last_message_at desc, c.id desc limit ${CONVERSATIONS_READ}::int
    ), written as materialized (
      select m.* from known k cross join lateral (
        select id, conversation_id, direction, author_kind, send_status, attachments_count, created_at from messages
        where conversation_id = k.id order by created_at desc, id desc limit ${MESSAGES_READ}::int) m
    )
    select
      (select max(created_at) from written where direction = 'outbound' and author_kind <> 'automatic'
        and coalesce(send_status, 'sent') = 'sent') as "lastContactedAt",
      (select coalesce(json_agg(json_build_object('id', k.id, 'subject', k.subject, 'status', k.status, 'channel', k.channel,
          'lastMessageAt', k.last_message_at) order by k.last_message_at desc, k.id desc), '[]')
        from known k where k.id <> ${id}::uuid) as conversations,
      (select coalesce(json_agg(json_build_object('id', f.id, 'name', f.name, 'contentType', f.content_type,
          'sizeBytes', f.size_bytes, 'sentAt', f.created_at) order by f.created_at desc, f.id desc), '[]')
        from (select a.id, a.name, a.content_type, a.size_bytes, w.created_at
          from written w join attachments a on a.message_id = w.id and not a.inline
          where w.attachments_count > 0 order by w.created_at desc, a.id desc limit ${FILES_SHOWN}::int) f) as files,
      (select ${contactBlocks(Prisma.sql`null`)} from conversations c
        join contacts k on k.workspace_id = c.workspace_id and k.id = c.contact_id
        where c.workspace_id = ${workspaceId}::uuid and c.id = ${id}::uuid and ${isReadableBy({ role, visibility })}) as blocks`;
  return runRead(db, statement, ([row]: Columns[]) => historyOf(row, role));
}

type Columns = {
  lastContactedAt: string | null;
  conversations: (Omit<ContactHistory['conversations'][number], 'lastMessageAt'> & {
    lastMessageAt: string;
  })[];
  files: (Omit<ContactHistory['files'][number], 'sentAt'> & { sentAt: string })[];
  blocks: ContactBlock[] | null;
};

function historyOf(row: Columns | undefined, role: Role): ContactHistory {
  const { lastContactedAt = null, conversations = [], files = [] } = row ?? {};
  return {
    lastContactedAt: lastContactedAt === null ? null : new Date(lastContactedAt),
    conversations: conversations
      .slice(0, CONVERSATIONS_SHOWN)
      .map((each) => ({ ...each, lastMessageAt: new Date(each.lastMessageAt) })),
    hasMore: conversations.length > CONVERSATIONS_SHOWN,
    files: files.map((file) => ({ ...file, sentAt: new Date(file.sentAt) })),
    blocks: row?.blocks?.map((block, id) => ({ id, ...blockView(block, role) })) ?? [],
  };
}
