import { db } from '#server/core/database/prisma.ts';
import { readableIn } from '#server/inbox/conversations/readable-conversations.ts';
import type { FoundAttachment } from '#server/inbox/files/find-attachment.ts';
import type { MemberWorkspace } from '#server/teammates/signed-in.ts';

/** An inline picture of an email, with the Content-ID that the HTML refers to. */
export type MailPicture = { id: string; contentId: string | null };

/** Returns the HTML of an email with its pictures; null if the teammate reads the message in none of the workspaces. */
export function findMailHtml(
  messageId: string,
  workspaces: MemberWorkspace[],
): Promise<{ html: string | null; attachments: MailPicture[] } | null> {
  return db().message.findFirst({
    where: { id: messageId, conversation: readableIn(workspaces) },
    select: { html: true, attachments: { where: { inline: true }, select: { id: true, contentId: true } } },
    relationLoadStrategy: 'join',
  });
}

/**
 * Returns the raw email of a message as a file; undefined if the teammate reads the message in none of the workspaces, or it is
 * not stored.
 */
export async function findOriginalMail(
  messageId: string,
  workspaces: MemberWorkspace[],
): Promise<FoundAttachment | undefined> {
  const message = await db().message.findFirst({
    where: { id: messageId, conversation: readableIn(workspaces) },
    select: { originalFile: { select: { id: true, sizeBytes: true } } },
    relationLoadStrategy: 'join',
  });
  const file = message?.originalFile;
  if (!file || file.sizeBytes === null) return undefined;
  // A type that browsers download and never render: the content is untrusted.
  const contentType = 'application/octet-stream';
  return { fileId: file.id, sizeBytes: file.sizeBytes, name: 'email.eml', contentType };
}
