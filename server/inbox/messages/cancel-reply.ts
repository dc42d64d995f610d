import { db } from '#server/core/database/db.ts';
import { Refusal } from '#server/core/errors.ts';
import { publish } from '#server/core/live/publish.ts';
import { signUploaded, type UploadedFile } from '#server/inbox/files/uploaded-file.ts';
import { parsePendingFiles } from '#server/inbox/messages/pending-files.ts';

/** The content of a reply that was cancelled; its files can be sent with another one. */
type TakenReply = { content: string; cc: string[]; bcc: string[]; files: UploadedFile[] };

/**
 * Cancels a scheduled reply before it becomes a message, and returns its content. Its author may; everyone may
 * when it could not be sent, as its author may be gone. It is one statement: either this has the reply or the
 * job.
 * @throws Refusal when it is too late, or it is someone else's and about to be sent
 */
export async function cancelReply(given: {
  workspaceId: string;
  id: string;
  by: { id: string };
}): Promise<TakenReply> {
  const { workspaceId, id, by } = given;
  const [taken] = await db().$queryRaw<(Omit<TakenReply, 'files'> & { attachments: unknown })[]>`
    delete from pending_replies
    where workspace_id = ${workspaceId}::uuid and id = ${id}::uuid
      and (author_id = ${by.id}::uuid or problem is not null)
    returning content, cc, bcc, attachments`;
  if (taken) {
    publish(workspaceId, 'conversations');
    const { attachments, ...written } = taken;
    const files = parsePendingFiles(attachments).map((file) => signUploaded(workspaceId, file));
    return { ...written, files };
  }
  const other = await db().pendingReply.findFirst({
    where: { workspaceId, id },
    select: { author: { select: { name: true } } },
    relationLoadStrategy: 'join',
  });
  if (other) throw new Refusal('forbidden', `Only ${other.author.name} can undo this reply.`);
  throw new Refusal('not_found', TOO_LATE);
}

const TOO_LATE = 'Too late to undo: this reply was already sent, or a teammate is editing it.';
