import { db } from '#server/core/database/prisma.ts';
import type { FoundAttachment } from '#server/inbox/files/find-attachment.ts';

/** An inline picture of an email, with the Content-ID that the HTML refers to. */
export type MailPicture = { id: string; contentId: string | null };

/** Returns the HTML of an email with its pictures; null if none of the workspaces has the message. */
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

/** Returns the raw email of a message as a file; undefined if none of the workspaces has it or it is not stored. */
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
  // A type that browsers download and never render: the content is untrusted.
  const contentType = 'application/octet-stream';
  return { id: file.id, sizeBytes: file.sizeBytes, name: 'email.eml', contentType };
}
