import { pictureIds } from '#server/contract/formatted-text.ts';
import { storedFormatted } from '#server/contract/parse-formatted.ts';
import { type ReadDb, runRead } from '#server/core/database/batch-reads.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { signUploaded } from '#server/inbox/files/uploaded-file.ts';
import { parsePendingFiles } from '#server/inbox/messages/cancel-reply.ts';
import { IS_ANSWERED } from '#server/inbox/messages/was-answered.ts';
import type { PendingReplyView } from '#server/screens/inbox/composer-views.ts';

/** Returns replies that are not messages yet, scheduled or failed, oldest first. */
export function listPendingReplies(
  db: ReadDb,
  { workspaceId, conversationId, userId }: { workspaceId: string; conversationId: string; userId: string },
): Promise<PendingReplyView[]> {
  const statement = Prisma.sql`
    select p.id, p.content, p.formatted, p.problem, p.solves, p.mail_to as "mailTo", p.cc, p.bcc,
      p.attachments, u.name as "authorName", p.author_id = ${userId}::uuid as "isYours",
      case when p.sends_later then p.send_at end as "laterAt", p.sends_later and ${IS_ANSWERED} as "isAnswered",
      greatest(0, extract(epoch from p.send_at - clock_timestamp()) * 1000)::int as "msLeft"
    from pending_replies p join users u on u.id = p.author_id
    where p.workspace_id = ${workspaceId}::uuid and p.conversation_id = ${conversationId}::uuid
    order by p.created_at, p.id`;
  return runRead(db, statement, (rows: PendingReplyColumns[]) =>
    rows.map((row) => pendingReplyView(workspaceId, row)),
  );
}

type PendingReplyColumns = Omit<PendingReplyView, 'formatted' | 'laterAt' | 'pictures' | 'fileNames'> & {
  formatted: unknown;
  attachments: unknown;
  laterAt: string | null;
};

function pendingReplyView(
  workspaceId: string,
  { attachments, laterAt, ...row }: PendingReplyColumns,
): PendingReplyView {
  const formatted = storedFormatted(row.formatted);
  const shown = new Set(pictureIds(formatted));
  const files = parsePendingFiles(attachments);
  return {
    ...row,
    formatted,
    laterAt: laterAt === null ? null : new Date(laterAt),
    pictures: files.filter(({ id }) => shown.has(id)).map((file) => signUploaded(workspaceId, file)),
    fileNames: files.filter(({ id }) => !shown.has(id)).map(({ name }) => name),
  };
}
