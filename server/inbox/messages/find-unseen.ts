import type { SqlDb } from '#server/core/database/sql.ts';
import type { ActorKind } from '#server/generated/prisma/enums.ts';

/** Maximum number of ids that a page sends of its items, and of messages and notes that are compared. */
const SEEN_MAX = 20;
/** Maximum length of an excerpt, in characters. */
const EXCERPT_MAX = 1_000;

/** A message, a note, or a reply about to be sent that a writer has not seen. */
export type UnseenItem = {
  id: string;
  kind: 'message' | 'note' | 'pending';
  fromContact: boolean;
  actorKind: ActorKind;
  authorName: string | null;
  /** Truncated. */
  content: string;
};

type Which = { workspaceId: string; conversationId: string; authorId: string; seen: readonly string[] };

/**
 * Returns what was added to a conversation that the writer of a reply has not seen, oldest first: messages in either
 * direction, notes of teammates, and replies of teammates about to be sent. What the writer sent from the inbox does not
 * count, and neither do forwards and the notes of workflows, which do not answer the contact. The caller holds the
 * conversation's lock, so that nothing is added in the meantime.
 * @param seen the newest messages, notes and pending replies that the page showed, also of conversations that were merged into this
 *   one. Compared by id, because timestamps of several servers differ
 */
export async function findUnseen(tx: SqlDb, which: Which): Promise<UnseenItem[]> {
  const { workspaceId, conversationId, authorId, seen } = which;
  return tx.$queryRaw<UnseenItem[]>`
    with newest as (
      (select 'message' as kind, id, direction = 'inbound' as from_contact, author_kind, author_id, coalesce(program_name, author_name) as author_name, content,
        created_at, direction <> 'forward' as counts
      from messages where conversation_id = ${conversationId}::uuid and workspace_id = ${workspaceId}::uuid
      order by created_at desc, id desc limit ${SEEN_MAX}::int)
      union all
      (select 'note', id, false, author_kind, author_id, author_name, content, created_at,
        author_kind = 'teammate' and command_run_id is null and deleted_at is null
      from notes where conversation_id = ${conversationId}::uuid and workspace_id = ${workspaceId}::uuid
      order by created_at desc, id desc limit ${SEEN_MAX}::int)
      order by created_at desc, id desc limit ${SEEN_MAX}::int
    ), shown as (
      select created_at from messages where id = any(${seen}::uuid[]) and workspace_id = ${workspaceId}::uuid
      union all
      select created_at from notes where id = any(${seen}::uuid[]) and workspace_id = ${workspaceId}::uuid
    ), added as (
      select * from newest
      where created_at >= coalesce((select min(created_at) from shown), '-infinity')
      union all
      (select 'pending', p.id, false, 'teammate'::actor_kind, p.author_id, u.name, p.content, p.created_at, true
      from pending_replies p join users u on u.id = p.author_id
      where p.conversation_id = ${conversationId}::uuid and p.workspace_id = ${workspaceId}::uuid and p.problem is null
      order by p.created_at desc, p.id desc limit ${SEEN_MAX}::int)
    )
    select kind, id, from_contact as "fromContact", author_kind as "actorKind", author_name as "authorName",
      left(content, ${EXCERPT_MAX}::int) as content
    from added
    where counts and id <> all(${seen}::uuid[])
      and (author_id is distinct from ${authorId}::uuid or author_kind <> 'teammate')
    order by created_at, id`;
}
