import type { ReplyRecord, Teammate } from '#server/contract/record-schemas.ts';
import { db } from '#server/core/database/db.ts';
import { sendReply } from '#server/inbox/messages/send-reply.ts';
import { storeBytes } from '#test/store-bytes.ts';

type File = Parameters<typeof storeBytes>[1];

/** Replies in the newest conversation of a workspace with a file, as a teammate; without a text, unless one is given. */
export async function replyWithFile(
  { workspaceId, by }: { workspaceId: string; by: Teammate },
  file: File,
  content = '',
): Promise<ReplyRecord> {
  const { id } = await db().conversation.findFirstOrThrow({
    where: { workspaceId },
    orderBy: { createdAt: 'desc' },
  });
  const files = [await storeBytes(workspaceId, file)];
  return sendReply({ workspaceId, id, actor: { kind: 'teammate', teammate: by }, content, files });
}
