import { validate as isUuid } from 'uuid';
import { sql } from '#server/core/database/sql.ts';
import { BATCH_ROWS, removeInBatches } from '#server/core/jobs/remove-in-batches.ts';
import { Prisma } from '#server/generated/prisma/client.ts';

// A conversation is unread for a teammate when a contact wrote after the teammate read it, or when the teammate marked
// it as unread. Only conversations that a teammate read have a row: storage grows with what is read, and an incoming
// message writes nothing per teammate.

/** Days after which an unread message counts as read. Bounds the rows and the range that the view Unread scans. */
const UNREAD_DAYS = 30;

/** A teammate. With null, nothing is unread. */
export type Reader = { workspaceId: string; userId: string | null };

/** Returns SQL for the timestamp up to which all messages count as read by a teammate. */
export function readFloor({ workspaceId, userId }: Reader): Prisma.Sql {
  return Prisma.sql`(select greatest(read_before, now() - make_interval(days => ${UNREAD_DAYS}::int)) from members
    where workspace_id = ${workspaceId}::uuid and user_id = ${userId}::uuid)`;
}

/** Returns SQL for the row of a teammate and the conversation `c`: `read_until`, and `id`, which is null without a row. */
export function readOf({ userId }: Reader, c: 'c' | 'w'): Prisma.Sql {
  return Prisma.sql`(select conversation_id as id, read_until from conversation_reads
    where conversation_id = ${Prisma.raw(c)}.id and user_id = ${userId}::uuid limit 1)`;
}

/** Returns the condition that `c` is unread, given the row `r` of `readOf`. */
export function isUnread(reader: Reader, c: 'c' | 'w', r: string): Prisma.Sql {
  const [conversation, read] = [Prisma.raw(c), Prisma.raw(r)];
  return Prisma.sql`coalesce((${read}.id is not null and ${read}.read_until is null)
    or ${conversation}.last_inbound_at > greatest(${read}.read_until, ${readFloor(reader)}), false)`;
}

type Teammate = { workspaceId: string; userId: string };
type Which = Teammate & { conversationId: string };

/** Marks a conversation as read by a teammate. Returns whether it was unread. Writes nothing if it was read. */
export async function markRead({ conversationId, ...reader }: Which): Promise<boolean> {
  if (!isUuid(conversationId)) return false;
  const written = await sql().$executeRaw`
    insert into conversation_reads (conversation_id, user_id, workspace_id, read_until)
    select c.id, ${reader.userId}::uuid, c.workspace_id, coalesce(c.last_inbound_at, now())
    from conversations c left join lateral ${readOf(reader, 'c')} r on true
    where c.workspace_id = ${reader.workspaceId}::uuid and c.id = ${conversationId}::uuid and ${isUnread(reader, 'c', 'r')}
    on conflict (conversation_id, user_id) do update set read_until = excluded.read_until`;
  return written > 0;
}

/** Marks a conversation as unread by a teammate, until it is marked as read. */
export async function markUnread({ conversationId, workspaceId, userId }: Which): Promise<void> {
  if (!isUuid(conversationId)) return;
  await sql().$executeRaw`
    insert into conversation_reads (conversation_id, user_id, workspace_id, read_until)
    select id, ${userId}::uuid, workspace_id, null from conversations
    where workspace_id = ${workspaceId}::uuid and id = ${conversationId}::uuid
    on conflict (conversation_id, user_id) do update set read_until = null`;
}

/** Marks all conversations of the workspace as read by a teammate. */
export async function markAllRead({ workspaceId, userId }: Teammate): Promise<void> {
  const of = Prisma.sql`workspace_id = ${workspaceId}::uuid and user_id = ${userId}::uuid`;
  await sql().$executeRaw`
    with marked as (delete from conversation_reads where ${of} and read_until is null)
    update members set read_before = now() where ${of}`;
}

const REMOVE = `
  delete from conversation_reads where (conversation_id, user_id) in (
    select conversation_id, user_id from conversation_reads
    where read_until < now() - make_interval(days => ${UNREAD_DAYS})
    limit ${BATCH_ROWS} for update skip locked)`;

/** Removes rows that have no effect, because the messages after them count as read. Returns their number. */
export function removeOldReads(): Promise<number> {
  return removeInBatches(REMOVE);
}
