import { z } from 'zod';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { afterCommit } from '#server/core/database/after-commit.ts';
import { db, type Tx } from '#server/core/database/prisma.ts';
import { Refusal } from '#server/core/errors.ts';
import { publish } from '#server/core/live/publish.ts';
import type { StoredFile } from '#server/inbox/files/store-file.ts';
import { signUploaded, type UploadedFile } from '#server/inbox/files/uploaded-file.ts';

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

const shape = z.array(
  z.object({ id: z.uuid(), name: z.string(), contentType: z.string(), sizeBytes: z.number().int() }),
);

/** The files of a reply that waits, as its row holds them. */
export function parsePendingFiles(attachments: unknown): StoredFile[] {
  return shape.parse(attachments);
}

/**
 * Of someone whose account is being deleted, turns the replies that are not sent yet into internal notes, in every
 * workspace: their rows would go with the account, and what was written with them. The notes are the service's own,
 * which is why every plan has them.
 */
export async function noteUnsentReplies(tx: Tx, author: Teammate): Promise<void> {
  const noted = await tx.$queryRaw<{ workspaceId: string }[]>`
    with unsent as (
      delete from pending_replies where author_id = ${author.id}::uuid
      returning workspace_id, conversation_id, content
    )
    insert into notes (id, workspace_id, conversation_id, author_kind, content, created_at)
    select gen_random_uuid(), workspace_id, conversation_id, 'automatic', ${noteAbout(author.name)} || content, now()
    from unsent
    returning workspace_id as "workspaceId"`;
  for (const workspaceId of new Set(noted.map((note) => note.workspaceId))) {
    afterCommit(tx, () => publish(workspaceId, 'conversations'));
  }
}

function noteAbout(name: string): string {
  return `The account of ${name} was deleted before this reply was sent:\n\n`;
}
