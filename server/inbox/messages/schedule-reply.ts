import type { Teammate } from '#server/contract/records/record-schemas.ts';
import { afterCommit, inTransaction } from '#server/ground/db.ts';
import { notFound, Refusal } from '#server/ground/errors.ts';
import { queueJob } from '#server/ground/jobs/queue-job.ts';
import { publish } from '#server/ground/publish/publish.ts';
import { refuseCommand } from '#server/inbox/commands/refuse-command.ts';
import { refuseMergedInto } from '#server/inbox/conversations/lock-conversation.ts';
import { parseContent } from '#server/inbox/messages/parse-content.ts';
import { mayNotReply, REPLY_MAX_LENGTH } from '#server/inbox/messages/save-reply.ts';
import { findAssignable } from '#server/people/teammates/find-assignable.ts';

/** So long a reply from the inbox can be taken back. */
const UNDO_SECONDS = 5;

/**
 * Keeps a reply that a teammate sent in the inbox until it can no longer be taken back; then a job, queued in the same
 * transaction, makes it a message. From here on it is safe: the page may close and the worker die.
 * @param given.id made by the page, so that the same reply handed over twice is held once
 * @param given.solves whether it solves the conversation once it is sent
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
}): Promise<{ msLeft: number }> {
  const { workspaceId, conversationId, id, author, solves = false } = given;
  const content = parseContent(given.content, { label: 'reply', max: REPLY_MAX_LENGTH });
  return inTransaction(async (tx) => {
    if (!(await findAssignable(tx, { workspaceId, id: author.id }))) {
      throw new Refusal('forbidden', mayNotReply(author.name));
    }
    const conversation = await tx.conversation.findUnique({
      where: { workspaceId_id: { workspaceId, id: conversationId } },
      select: { mergedIntoId: true },
    });
    if (!conversation) throw notFound('The conversation');
    refuseMergedInto(conversation.mergedIntoId);
    await refuseCommand(tx, { workspaceId, content });
    const held = await tx.$executeRaw`
      insert into pending_replies (id, workspace_id, conversation_id, author_id, content, solves, send_at)
      values (${id}::uuid, ${workspaceId}::uuid, ${conversationId}::uuid, ${author.id}::uuid, ${content}, ${solves},
        now() + make_interval(secs => ${UNDO_SECONDS}::int))
      on conflict (id) do nothing`;
    if (held === 1) {
      await queueJob(tx, 'send-pending-reply', { pendingReplyId: id }, { inSeconds: UNDO_SECONDS });
      afterCommit(tx, () => publish(workspaceId, 'conversations'));
    }
    return { msLeft: UNDO_SECONDS * 1_000 };
  });
}
