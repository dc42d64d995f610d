import { db } from '#server/core/database/prisma.ts';
import type { FoundAttachment } from '#server/inbox/files/find-attachment.ts';

/** A picture of a mail: the attachment, and the Content-ID by which the mail's HTML names it. */
export type MailPicture = { id: string; contentId: string | null };

/** Returns the HTML of a mail with its pictures; null when none of the workspaces has the message. */
export function findMailHtml(
  messageId: string,
  workspaceIds: string[],
): Promise<{ html: string | null; attachments: MailPicture[] } | null> {
  return db().message.findFirst({
    where: { id: messageId, workspaceId: { in: workspaceIds } },
    select: { html: true, attachments: { where: { inline: true }, select: { id: true, contentId: true } } },
    relationLoadStrategy: 'join',
  });
}

/** Returns the raw mail of a message as a file; undefined when none of the workspaces has it or it is not stored. */
export async function findOriginalMail(
  messageId: string,
  workspaceIds: string[],
): Promise<FoundAttachment | undefined> {
  const message = await db().message.findFirst({
    where: { id: messageId, workspaceId: { in: workspaceIds } },
    select: { originalFile: { select: { id: true, sizeBytes: true } } },
    relationLoadStrategy: 'join',
  });
  const file = message?.originalFile;
  if (!file || file.sizeBytes === null) return undefined;
  // A type that no browser opens: a stranger wrote the content.
  const contentType = 'application/octet-stream';
  return { id: file.id, sizeBytes: file.sizeBytes, name: 'email.eml', contentType };
}
