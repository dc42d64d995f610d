import { v7 as uuidv7 } from 'uuid';
import { cleanFileName } from '#server/attachments/clean-file-name.ts';
import { knownContentType } from '#server/attachments/content-types.ts';
import type { Tx } from '#server/db.ts';

/** A file that came with a message, as a channel hands it over: name and kind are what the sender says. */
export type NewAttachment = { name: string; contentType: string; content: Uint8Array<ArrayBuffer> };

/**
 * Keeps the files of a message, in its transaction and in their order. Names and kinds are made harmless here,
 * whichever channel they come from. One statement.
 */
export async function saveAttachments(
  tx: Tx,
  {
    workspaceId,
    messageId,
    attachments,
    now,
  }: { workspaceId: string; messageId: string; attachments: NewAttachment[]; now: Date },
): Promise<void> {
  if (attachments.length === 0) return;
  await tx.attachment.createMany({
    data: attachments.map(({ name, contentType, content }) => ({
      id: uuidv7(),
      workspaceId,
      messageId,
      name: cleanFileName(name),
      contentType: knownContentType(contentType, content),
      sizeBytes: content.byteLength,
      content,
      createdAt: now,
    })),
  });
}
