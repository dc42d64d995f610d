import { afterCommit } from '#server/core/database/after-commit.ts';
import { inTransaction } from '#server/core/database/prisma.ts';
import { publish } from '#server/core/live/publish.ts';
import { truncateText } from '#server/core/text.ts';
import { CONTENT_MAX_LENGTH } from '#server/inbox/messages/incoming-message.ts';

/**
 * Changes in its thread what its contact has edited at the provider. An older edit that comes late changes nothing. Emits
 * nothing (decisions: conversations and contacts, 28).
 * @param given.externalId the provider's id of the message, as it was received
 * @throws NotYet when there is no such message
 */
export async function editMessage(given: {
  workspaceId: string;
  externalId: string;
  content: string;
  editedAt: Date;
}): Promise<void> {
  const { workspaceId, externalId, editedAt } = given;
  const content = truncateText(given.content, CONTENT_MAX_LENGTH);
  await inTransaction(async (tx) => {
    const where = { workspaceId, externalId, direction: 'inbound' as const };
    const { count } = await tx.message.updateMany({
      where: { ...where, OR: [{ editedAt: null }, { editedAt: { lt: editedAt } }] },
      data: { content, editedAt },
    });
    if (count === 0 && (await tx.message.count({ where })) === 0) throw new NotYet('The edited message');
    afterCommit(tx, () => publish(workspaceId, 'conversations'));
  });
}

/** What an update is about is not there yet: it is tried again, as updates may overtake what they are about. */
export class NotYet extends Error {
  constructor(what: string) {
    super(`${what} is not there yet.`);
    this.name = 'NotYet';
  }
}
