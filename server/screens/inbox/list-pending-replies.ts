import { ask, type ReadDb, read } from '#server/core/database/reads.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { PendingReplyView } from '#server/screens/inbox/messages-views.ts';

/** The replies of a conversation that are not messages yet, oldest first: scheduled or failed. */
export function listPendingReplies(
  db: ReadDb,
  { workspaceId, conversationId, userId }: { workspaceId: string; conversationId: string; userId: string },
): Promise<PendingReplyView[]> {
  const statement = Prisma.sql`
    select p.id, p.content, p.problem, p.solves, p.cc, p.bcc,
      array(select file ->> 'name' from jsonb_array_elements(p.attachments) file) as "fileNames", u.name as "authorName", p.author_id = ${userId}::uuid as "isYours",
      greatest(0, extract(epoch from p.send_at - clock_timestamp()) * 1000)::int as "msLeft"
    from pending_replies p join users u on u.id = p.author_id
    where p.workspace_id = ${workspaceId}::uuid and p.conversation_id = ${conversationId}::uuid
    order by p.created_at, p.id`;
  return ask(
    db,
    read(statement, (rows: PendingReplyView[]) => rows),
  );
}
