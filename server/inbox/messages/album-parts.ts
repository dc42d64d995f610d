import { afterCommit } from '#server/core/database/after-commit.ts';
import { inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { publish } from '#server/core/live/publish.ts';
import { truncateText } from '#server/core/text.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { joinContents } from '#server/inbox/channels/content-of-message.ts';
import { linkFiles } from '#server/inbox/files/link-files.ts';
import type { StoredFile } from '#server/inbox/files/store-file.ts';
import { CONTENT_MAX_LENGTH, type MessagePart } from '#server/inbox/messages/incoming-message.ts';

/** Returns the statement that inserts parts of an album's message. Parts that are stored already stay. */
export function insertParts(
  parts: MessagePart[],
  { workspaceId, messageId }: { workspaceId: string; messageId: string },
): Prisma.Sql {
  const values = parts.map(
    ({ externalId, content }) =>
      Prisma.sql`(${workspaceId}::uuid, ${externalId}::text, ${messageId}::uuid, ${content}::text)`,
  );
  return Prisma.sql`
    insert into message_parts (workspace_id, external_id, message_id, content) values ${Prisma.join(values)}
    on conflict (workspace_id, external_id) do nothing
    returning external_id as "externalId"`;
}

/**
 * Adds the parts of an album that its message does not have yet, because they arrived late. Emits no event, as for an edit:
 * the album is one message (docs/rulings.md 3.40). Adding a part twice has no further effect.
 */
export async function addParts(album: {
  workspaceId: string;
  messageId: string;
  parts: (MessagePart & { files: StoredFile[] })[];
}): Promise<void> {
  const { workspaceId, messageId, parts } = album;
  await inTransaction(async (tx) => {
    await lockMessage(tx, messageId);
    const added = await tx.$queryRaw<{ externalId: string }[]>(
      insertParts(parts, { workspaceId, messageId }),
    );
    if (added.length === 0) return;
    const ids = new Set(added.map(({ externalId }) => externalId));
    const files = parts.flatMap((part) => (ids.has(part.externalId) ? part.files : []));
    await tx.message.update({
      where: { id: messageId },
      data: { content: await joinParts(tx, messageId), attachmentsCount: { increment: files.length } },
    });
    await linkFiles(tx, { workspaceId, messageId, files, now: new Date() });
    afterCommit(tx, () => publish(workspaceId, 'conversations'));
  });
}

/** Edits the text of one part of an album. Returns false if there is no such part. */
export async function editPart(
  tx: Tx,
  edit: { workspaceId: string; externalId: string; content: string; editedAt: Date },
): Promise<boolean> {
  const { workspaceId, externalId, content, editedAt } = edit;
  const where = { workspaceId, externalId };
  const part = await tx.messagePart.findFirst({ where, select: { messageId: true } });
  if (!part) return false;
  const { messageId } = part;
  await lockMessage(tx, messageId);
  const { count } = await tx.messagePart.updateMany({
    where: { ...where, OR: [{ editedAt: null }, { editedAt: { lte: editedAt } }] },
    data: { content, editedAt },
  });
  if (count > 0) {
    const joined = await joinParts(tx, messageId);
    await tx.message.update({ where: { id: messageId }, data: { content: joined, editedAt } });
  }
  return true;
}

/** Locks a message, so that parallel changes of two parts join the texts of both. */
async function lockMessage(tx: Tx, id: string): Promise<void> {
  await tx.$executeRaw`select 1 from messages where id = ${id}::uuid for no key update`;
}

async function joinParts(tx: Tx, messageId: string): Promise<string> {
  const parts = await tx.messagePart.findMany({
    where: { messageId },
    select: { externalId: true, content: true },
  });
  return truncateText(joinContents(sortParts(parts).map(({ content }) => content)), CONTENT_MAX_LENGTH);
}

/** Sorts the parts of an album by the number that their ids end in: the order in which they were sent. */
export function sortParts<T extends { externalId: string }>(parts: T[]): T[] {
  return parts.toSorted((a, b) => a.externalId.localeCompare(b.externalId, 'en', { numeric: true }));
}
