import { validate as isUuid } from 'uuid';
import type { Db } from '#server/core/database/db.ts';
import { notFound } from '#server/core/errors.ts';

/**
 * All of a mail whose quotes are left out in the thread.
 * @throws Refusal when the workspace has no such message
 */
export async function getFullContent(
  db: Db,
  { workspaceId, messageId }: { workspaceId: string; messageId: string },
): Promise<string> {
  const message = isUuid(messageId)
    ? await db.message.findUnique({
        where: { workspaceId_id: { workspaceId, id: messageId } },
        select: { content: true, fullContent: true },
      })
    : null;
  if (!message) throw notFound('The message');
  return message.fullContent ?? message.content;
}
