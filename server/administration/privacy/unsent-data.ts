import { jsonEntry, type ZipEntry } from '#server/administration/privacy/write-zip.ts';
import { db } from '#server/core/database/prisma.ts';
import { timestamp } from '#server/core/timestamp.ts';
import { notExpired, openFile } from '#server/inbox/files/file-store.ts';
import { parsePendingFiles } from '#server/inbox/messages/cancel-reply.ts';

/**
 * Yields what was written for the contact in a conversation and is not sent: the draft, waiting replies and those that programs
 * suggest, then their files. Yields nothing without any.
 */
export async function* unsentEntries(folder: string, conversationId: string): AsyncGenerator<ZipEntry> {
  const where = { conversationId };
  const author = { author: { select: { name: true } } };
  const [drafts, waiting, suggested] = await Promise.all([
    db().replyDraft.findMany({ where: { ...where, isEmpty: false }, include: author }),
    db().pendingReply.findMany({ where, include: author, orderBy: { id: 'asc' } }),
    db().suggestedReply.findMany({ where, orderBy: { id: 'asc' } }),
  ]);
  if (drafts.length + waiting.length + suggested.length === 0) return;
  const written = [...drafts, ...waiting];
  const files = await existingFiles(written.flatMap(({ attachments }) => parsePendingFiles(attachments)));
  const pathOf = ({ id, name }: { id: string; name: string }) => `${folder}/unsent-files/${id} ${name}`;
  yield jsonEntry(`${folder}/unsent-replies.json`, [
    ...written.map((reply) => ({
      kind: 'sendAt' in reply ? 'waiting' : 'draft',
      author: reply.author?.name ?? null,
      content: reply.content,
      formatted: reply.formatted,
      cc: reply.cc,
      bcc: reply.bcc,
      created_at: timestamp(reply.createdAt),
      files: parsePendingFiles(reply.attachments).map((file) => ({
        name: file.name,
        content_type: file.contentType,
        size_bytes: file.sizeBytes,
        path: files.has(file.id) ? pathOf(file) : null,
      })),
    })),
    ...suggested.map(({ programName, content, reason, createdAt }) => ({
      kind: 'suggested',
      author: programName,
      content,
      reason,
      created_at: timestamp(createdAt),
    })),
  ]);
  for (const file of files.values()) yield { path: pathOf(file), open: () => openFile(file.id) };
}

/** Returns the files that have not expired, by their ids. */
async function existingFiles<File extends { id: string }>(files: File[]): Promise<Map<string, File>> {
  const stored = await db().storedFile.findMany({
    where: {
      id: { in: files.map(({ id }) => id) },
      sizeBytes: { not: null },
      ...notExpired(),
    },
    select: { id: true },
  });
  const exists = new Set(stored.map(({ id }) => id));
  return new Map(files.flatMap((file) => (exists.has(file.id) ? [[file.id, file]] : [])));
}
