import { afterCommit } from '#server/core/database/after-commit.ts';
import { inTransaction } from '#server/core/database/prisma.ts';
import { publish } from '#server/core/live/publish.ts';
import { truncateText } from '#server/core/text.ts';
import { editPart } from '#server/inbox/messages/album-parts.ts';
import { CONTENT_MAX_LENGTH } from '#server/inbox/messages/incoming-message.ts';

/**
 * Updates a message that its contact has edited at the provider. Ignores an edit that is older than the last one. Emits
 * no event (docs/rulings.md 3.28).
 * @param externalId the provider's id of the message, or of one part of an album
 * @throws NotYet when the message does not exist
 */
export async function editMessage(edit: {
  workspaceId: string;
  externalId: string;
  content: string;
  editedAt: Date;
}): Promise<void> {
  const { workspaceId, externalId, editedAt } = edit;
  const content = truncateText(edit.content, CONTENT_MAX_LENGTH);
  await inTransaction(async (tx) => {
    const where = { workspaceId, externalId, direction: 'inbound' as const };
    const { count } = await tx.message.updateMany({
      where: { ...where, OR: [{ editedAt: null }, { editedAt: { lt: editedAt } }] },
      data: { content, editedAt },
    });
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
