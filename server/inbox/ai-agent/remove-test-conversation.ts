import { inTransaction, pool } from '#server/core/database/db.ts';

/**
 * Removes a conversation from testing the AI agent, with its contact. One that is no test, or was merged with another
 * one, stays.
 */
export async function removeTestConversation(conversationId: string): Promise<void> {
  const { rows } = await pool().query<{ contactId: string | null }>(
    `select contact_id as "contactId" from conversations where id = $1 and is_test`,
    [conversationId],
  );
  const [test] = rows;
  if (!test) return;
  await inTransaction(async (tx) => {
    await tx.conversation.deleteMany({
      where: { id: conversationId, isTest: true, mergedFrom: { none: {} } },
    });
    if (test.contactId === null) return;
    await tx.contact.deleteMany({
      where: { id: test.contactId, isTest: true, conversations: { none: {} } },
    });
  });
}
