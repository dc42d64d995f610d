import { v7 as uuidv7 } from 'uuid';
import { afterCommit } from '#server/core/database/after-commit.ts';
import { inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { Refusal } from '#server/core/errors.ts';
import { queueJob } from '#server/core/jobs/outbox.ts';
import { publish } from '#server/core/live/publish.ts';
import type { Channel } from '#server/generated/prisma/enums.ts';
import { refuseAfterWindow } from '#server/inbox/channels/meta/message-window.ts';
import { retainFiles } from '#server/inbox/files/retain-uploaded.ts';
import { parsePendingFiles } from '#server/inbox/messages/cancel-reply.ts';
import { secondsUntil, UNDO_SECONDS } from '#server/inbox/messages/schedule-reply.ts';
import { wasAnswered } from '#server/inbox/messages/was-answered.ts';

/**
 * Changes the time of a reply that is sent later, or sends it after the time to undo it. Also releases a reply that waits for
 * a decision because its contact wrote. The reply gets a new id, so that the job of the earlier time finds nothing.
 * @param sendAt null to send it now
 * @param seen ids of the newest messages that the page showed
 * @returns the new id
 * @throws Refusal when the reply was sent, cancelled or is another teammate's, the contact wrote a message that the page did not
 *   show, or `sendAt` is not possible
 */
export async function rescheduleReply(which: {
  workspaceId: string;
  id: string;
  by: { id: string; name: string };
  sendAt: Date | null;
  seen: string[];
}): Promise<{ id: string }> {
  const { workspaceId, sendAt, seen } = which;
  const seconds = sendAt === null ? UNDO_SECONDS : secondsUntil(sendAt);
  const id = uuidv7();
  return inTransaction(async (tx) => {
    const { conversationId, createdAt, attachments } = await lockReply(tx, which);
    // A message of the contact that is being saved is either found or comes after this decision.
    const [{ channel }] = await tx.$queryRaw<[{ channel: Channel }]>`
      select channel from conversations where id = ${conversationId}::uuid for no key update`;
    if (sendAt) await refuseAfterWindow(tx, { channel, conversationId, sendAt });
    if (await wasAnswered(tx, { conversationId, since: createdAt, seen })) {
      throw new Refusal('invalid', 'The contact wrote in the meantime. Read the new message first.');
    }
    await tx.$executeRaw`
      update pending_replies set id = ${id}::uuid, sends_later = ${sendAt !== null}, problem = null,
        send_at = now() + make_interval(secs => ${seconds}::int), created_at = now()
      where id = ${which.id}::uuid`;
    const ids = parsePendingFiles(attachments).map((file) => file.id);
    await retainFiles(tx, { workspaceId, ids, seconds });
    await queueJob(tx, 'send-pending-reply', { pendingReplyId: id }, { inSeconds: seconds });
    afterCommit(tx, () => publish(workspaceId, 'conversations'));
    return { id };
  });
}

type Locked = { conversationId: string; createdAt: Date; attachments: unknown };

/** Locks the reply before its conversation, as the job that sends it does. */
async function lockReply(
  tx: Tx,
  { workspaceId, id, by }: { workspaceId: string; id: string; by: { id: string } },
): Promise<Locked> {
  const [found] = await tx.$queryRaw<(Locked & { authorId: string; authorName: string })[]>`
    select p.conversation_id as "conversationId", p.created_at as "createdAt", p.attachments,
      p.author_id as "authorId", u.name as "authorName"
    from pending_replies p join users u on u.id = p.author_id
    where p.id = ${id}::uuid and p.workspace_id = ${workspaceId}::uuid and p.sends_later
    for update of p`;
  if (!found)
    throw new Refusal('not_found', 'This reply is no longer scheduled. It was sent, edited or discarded.');
  if (found.authorId !== by.id) {
    throw new Refusal('forbidden', `Only ${found.authorName} can change when this reply is sent.`);
  }
  return found;
}
