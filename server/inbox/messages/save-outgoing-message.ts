import type { SendStatus } from '#server/generated/prisma/enums.ts';
import type { Tx } from '#server/ground/db.ts';
import { AI_AGENT_NAME } from '#server/inbox/ai-agent/ai-agent.ts';
import type { OutgoingTemplate } from '#server/inbox/channels/channel-adapter.ts';
import { linkFiles } from '#server/inbox/files/link-files.ts';
import type { StoredFile } from '#server/inbox/files/store-file.ts';
import { type Actor, actorColumns } from '#server/people/teammates/actor.ts';

/** A message as it was saved. */
export type SavedMessage = {
  id: string;
  conversationId: string;
  content: string;
  createdAt: Date;
  sendStatus: SendStatus | null;
};

/**
 * Saves a message to a contact in its conversation. Nothing leaves here: `queued` waits for a job, `sending` for
 * the caller to send it once this transaction is committed.
 */
export async function saveOutgoingMessage(
  tx: Tx,
  given: {
    workspaceId: string;
    conversationId: string;
    actor: Actor;
    content: string;
    sendStatus: SendStatus | null;
    solveAskedAt?: Date | null;
    template?: OutgoingTemplate | null;
    cc?: string[];
    bcc?: string[];
    files?: StoredFile[];
    now: Date;
  },
): Promise<SavedMessage> {
  const { actorKind, actorId, actorName, connectionId } = actorColumns(given.actor);
  const { workspaceId, now, cc = [], bcc = [], files = [] } = given;
  const message = await tx.message.create({
    data: {
      workspaceId,
      conversationId: given.conversationId,
      direction: 'outbound',
      authorKind: actorKind,
      authorId: actorId,
      authorName: actorKind === 'ai_agent' ? AI_AGENT_NAME : actorName,
      connectionId,
      content: given.content,
      sendStatus: given.sendStatus,
      cc,
      bcc,
      attachmentsCount: files.length,
      sendStartedAt: given.sendStatus === 'sending' ? now : null,
      solveAskedAt: given.solveAskedAt ?? null,
      ...(given.template ? { template: given.template } : {}),
      createdAt: now,
    },
    select: { id: true, conversationId: true, content: true, createdAt: true, sendStatus: true },
  });
  await linkFiles(tx, { workspaceId, messageId: message.id, files, now });
  return message;
}
