import { afterCommit } from '#server/core/database/after-commit.ts';
import { inTransaction } from '#server/core/database/prisma.ts';
import { publish } from '#server/core/live/publish.ts';
import { truncateText } from '#server/core/text.ts';
import { editPart } from '#server/inbox/messages/album-parts.ts';
import { CONTENT_MAX_LENGTH } from '#server/inbox/messages/incoming-message.ts';

/** Replaces the content of a message that the contact deleted. */
const DELETED = '[The contact deleted this message.]';

/**
 * Updates a message that its contact has edited or deleted at the provider. A deleted message loses its files. Ignores an edit
 * that is older than the last one; providers report whole seconds. Emits no event (docs/rulings.md 3.28).
 * @param edit.externalId the provider's id of the message, or of one part of an album
 * @param edit.content null for a deletion
 * @throws NotYet when the message does not exist
 */
export async function editMessage(edit: {
  workspaceId: string;
  externalId: string;
  content: string | null;
  editedAt: Date;
}): Promise<void> {
  const { workspaceId, externalId, editedAt } = edit;
  const isDeleted = edit.content === null;
  const content = edit.content === null ? DELETED : truncateText(edit.content, CONTENT_MAX_LENGTH);
  await inTransaction(async (tx) => {
    const where = { workspaceId, externalId, direction: 'inbound' as const };
    const { count } = await tx.message.updateMany({
      where: { ...where, OR: [{ editedAt: null }, { editedAt: { lte: editedAt } }] },
      data: { content, editedAt, ...(isDeleted ? { attachmentsCount: 0 } : {}) },
    });
    if (isDeleted && count > 0) await tx.attachment.deleteMany({ where: { message: where } });
    if (count === 0 && (await tx.message.count({ where })) === 0) {
      const isPart = await editPart(tx, { workspaceId, externalId, content, editedAt });
      if (!isPart) throw new NotYet('The edited message');
    }
    afterCommit(tx, () => publish(workspaceId, 'conversations'));
  });
}

/** An update arrived before its message. The update is retried. */
export class NotYet extends Error {
  constructor(what: string) {
    super(`${what} has not arrived yet.`);
    this.name = 'NotYet';
  }
}
