import type { Tx } from '#server/db.ts';
import { queueJob } from '#server/queue-job.ts';
import { type Actor, actorColumns } from '#server/teammates/actor.ts';

/**
 * Saves an outgoing e-mail message in its conversation and, where the workspace may send e-mail, queues its
 * sending in the same transaction. Elsewhere it is held and never sent (spec.md §1, who may connect, 4).
 * @returns the message's id
 */
export async function saveOutgoingEmail(
  tx: Tx,
  given: { workspaceId: string; conversationId: string; actor: Actor; content: string; canSend: boolean },
): Promise<string> {
  const { actorKind, actorId, actorName, connectionId } = actorColumns(given.actor);
  const message = await tx.message.create({
    data: {
      workspaceId: given.workspaceId,
      conversationId: given.conversationId,
      direction: 'outbound',
      authorKind: actorKind,
      authorId: actorId,
      authorName: actorName,
      connectionId,
      content: given.content,
      sendStatus: given.canSend ? 'queued' : 'held_for_paywall',
    },
    select: { id: true },
  });
  if (given.canSend) await queueJob(tx, 'send-message', { messageId: message.id });
  return message.id;
}
