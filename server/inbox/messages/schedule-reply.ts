import type { Teammate } from '#server/contract/record-schemas.ts';
import { afterCommit, inTransaction } from '#server/core/database/db.ts';
import { invalid, notFound, Refusal } from '#server/core/errors.ts';
import { queueJob } from '#server/core/jobs/queue-job.ts';
import { publish } from '#server/core/live/publish.ts';
import { refuseCommand } from '#server/inbox/commands/refuse-command.ts';
import { refuseMergedInto } from '#server/inbox/conversations/lock-conversation.ts';
import type { UploadedFile } from '#server/inbox/files/uploaded-file.ts';
import { keepUploaded } from '#server/inbox/messages/keep-uploaded.ts';
import { parseContent } from '#server/inbox/messages/parse-content.ts';
import { parseCopies } from '#server/inbox/messages/parse-copies.ts';
import { mayNotReply, REPLY_MAX_LENGTH } from '#server/inbox/messages/save-reply.ts';
import { findAssignable } from '#server/teammates/find-teammates.ts';

const EMAIL_ONLY = 'Only emails can have copies (Cc and Bcc).';

/** How long a reply from the inbox can be undone. */
const UNDO_SECONDS = 5;

/**
 * Keeps a reply that a teammate sent in the inbox until it can no longer be undone; then a job, queued in the
 * same transaction, makes it a message. From here on it is safe: the page may close and the worker die.
 * @param given.id made by the page, so that the same reply handed over twice is held once
 * @param given.solves whether it solves the conversation once it is sent
 * @param given.content may be empty when there are files
 * @param given.cc and `bcc`: by email alone, who gets a copy
 * @param given.files what the page uploaded before, as it got it
 * @returns for how long it is held, in milliseconds
 * @throws Refusal for a content that cannot be or is a command, a conversation that is not there or was merged, or a
 *   teammate who may not reply any more
 */
export async function scheduleReply(given: {
  workspaceId: string;
  conversationId: string;
  id: string;
  author: Teammate;
  content: string;
  solves?: boolean | undefined;
  cc?: string[] | undefined;
  bcc?: string[] | undefined;
  files?: UploadedFile[] | undefined;
}): Promise<{ msLeft: number }> {
  const { workspaceId, conversationId, id, author, solves = false } = given;
  const mayBeEmpty = (given.files ?? []).length > 0;
  const content = parseContent(given.content, { label: 'reply', max: REPLY_MAX_LENGTH, mayBeEmpty });
  const { cc, bcc } = parseCopies(given);
  return inTransaction(async (tx) => {
    if (!(await findAssignable(tx, { workspaceId, id: author.id }))) {
      throw new Refusal('forbidden', mayNotReply(author.name));
    }
    const conversation = await tx.conversation.findUnique({
      where: { workspaceId_id: { workspaceId, id: conversationId } },
      select: { mergedIntoId: true, channel: true },
    });
    if (!conversation) throw notFound('The conversation');
    refuseMergedInto(conversation.mergedIntoId);
    if (conversation.channel !== 'email' && cc.length + bcc.length > 0) throw invalid({ cc: [EMAIL_ONLY] });
    await refuseCommand(tx, { workspaceId, content });
    const held = await tx.$executeRaw`
      insert into pending_replies (id, workspace_id, conversation_id, author_id, content, solves, cc, bcc, send_at)
      values (${id}::uuid, ${workspaceId}::uuid, ${conversationId}::uuid, ${author.id}::uuid, ${content}, ${solves},
        ${cc}::text[], ${bcc}::text[], now() + make_interval(secs => ${UNDO_SECONDS}::int))
      on conflict (id) do nothing`;
    if (held === 1) {
      const attachments = await keepUploaded(tx, { workspaceId, files: given.files ?? [] });
      if (attachments.length > 0) await tx.pendingReply.update({ where: { id }, data: { attachments } });
      await queueJob(tx, 'send-pending-reply', { pendingReplyId: id }, { inSeconds: UNDO_SECONDS });
      afterCommit(tx, () => publish(workspaceId, 'conversations'));
    }
    return { msLeft: UNDO_SECONDS * 1_000 };
  });
}
