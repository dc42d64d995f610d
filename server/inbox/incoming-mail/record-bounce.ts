import { db, inTransaction } from '#server/core/database/db.ts';
import { lockConversation } from '#server/inbox/conversations/lock-conversation.ts';
import type { Bounce } from '#server/inbox/mail-parser/parsed-mail.ts';
import { markUndelivered } from '#server/inbox/messages/mark-undelivered.ts';
import { outcomeSelect } from '#server/inbox/messages/record-outcome.ts';

/**
 * Marks a message as failed whose mail came back (RFC 3464), with what the other server said, and notifies its author and
 * the assignee. A second report changes nothing.
 * @param messageId from the signed address that the report came to: no one else knows it
 * @returns whether it was this report
 */
export async function recordBounce(messageId: string, bounce: Bounce): Promise<boolean> {
  const message = await db().message.findFirst({
    where: { id: messageId, direction: 'outbound' },
    select: outcomeSelect,
  });
  if (!message) return false;
  const { workspaceId, conversationId } = message;
  const why = bounceSentence(bounce);
  return inTransaction(async (tx) => {
    const conversation = await lockConversation(tx, { workspaceId, id: conversationId });
    const from = { in: ['sent' as const, 'sending' as const] };
    return markUndelivered(tx, { conversation, message, why, from, now: new Date() });
  });
}

/** What a teammate reads, with the other server's own words. */
function bounceSentence({ recipient, status, diagnostic }: Bounce): string {
  const whom = recipient ?? 'the recipient';
  const said = [status !== null && !diagnostic?.includes(status) ? status : null, diagnostic]
    .filter((part) => part !== null)
    .join(' ');
  return said === ''
    ? `The mail server of ${whom} sent it back.`
    : `The mail server of ${whom} sent it back: ${said.endsWith('.') ? said : `${said}.`}`;
}
