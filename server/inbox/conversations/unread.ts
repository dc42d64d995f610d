import { validate as isUuid } from 'uuid';
import { type SqlDb, sql } from '#server/core/database/sql.ts';
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

/**
 * Makes a conversation unread for teammates who have read it, but not the one that is merged into it, and leaves it read for those who
 * have read both. The caller then writes the time of the newest message of both.
 */
export async function mergeReads(tx: SqlDb, { id, intoId }: { id: string; intoId: string }): Promise<void> {
  await tx.$executeRaw`
    update conversation_reads r
    set read_until = case when is_unread.source then null else greatest(r.read_until, s.last_inbound_at) end
    from conversations s
    join conversations t on t.id = ${intoId}::uuid
    join members m on m.workspace_id = t.workspace_id
    left join conversation_reads o on o.conversation_id = s.id and o.user_id = m.user_id
    cross join lateral (
      select greatest(m.read_before, now() - make_interval(days => ${UNREAD_DAYS}::int)) as before
    ) as floor
    cross join lateral (
      select coalesce((o.user_id is not null and o.read_until is null)
        or s.last_inbound_at > greatest(o.read_until, floor.before), false) as source
    ) as is_unread
    where s.id = ${id}::uuid and r.conversation_id = t.id and r.user_id = m.user_id and r.read_until is not null
      and (t.last_inbound_at <= greatest(r.read_until, floor.before)) is not false`;
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
