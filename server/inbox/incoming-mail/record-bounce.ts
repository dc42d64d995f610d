import { db, inTransaction } from '#server/core/database/prisma.ts';
import { lockConversation } from '#server/inbox/conversations/lock-conversation.ts';
import type { Bounce } from '#server/inbox/mail-parser/parsed-mail.ts';
import { outcomeSelect } from '#server/inbox/messages/record-outcome.ts';
import { markUndelivered } from '#server/inbox/messages/record-status.ts';

const bouncedSelect = {
  ...outcomeSelect,
  cc: true,
  bcc: true,
  mailTo: true,
  conversation: {
    select: {
      contact: {
        // The identities are the addresses of contacts that were merged into this one after the message.
        select: {
          email: true,
          claimedEmail: true,
          identities: { where: { channel: 'email' }, select: { externalId: true } },
        },
      },
    },
  },
} as const;

type BouncedMessage = NonNullable<Awaited<ReturnType<typeof findBounced>>>;

/**
 * Finds the outgoing message that a delivery report is about. The message must have been sent to the recipient in the
 * report. A report about another address proves nothing, as every recipient of a mail knows its bounce address.
 * @param messageIds the messages whose bounce addresses received the report
 */
export async function findBounced(messageIds: string[], { recipient }: Bounce) {
  if (recipient === null || messageIds.length === 0) return null;
  const messages = await db().message.findMany({
    where: { id: { in: messageIds }, direction: { not: 'inbound' } },
    select: bouncedSelect,
  });
  const recipientsOf = ({
    direction,
    mailTo,
    cc,
    bcc,
    conversation: { contact },
  }: (typeof messages)[number]) => {
    if (direction === 'forward') return mailTo;
    const merged = contact?.identities.map(({ externalId }) => externalId) ?? [];
    return [contact?.email ?? contact?.claimedEmail, ...merged, ...cc, ...bcc];
  };
  return messages.find((message) => recipientsOf(message).includes(recipient)) ?? null;
}

/**
 * Marks a message as failed after a bounce (RFC 3464), with the reason from the other server, and notifies the author
 * and the assignee. A second report changes nothing.
 */
export async function recordBounce(message: BouncedMessage, bounce: Bounce): Promise<void> {
  const { workspaceId, conversationId } = message;
  const why = bounceSentence(bounce);
  await inTransaction(async (tx) => {
    const conversation = await lockConversation(tx, { workspaceId, id: conversationId });
    const from = { in: ['sent' as const, 'sending' as const] };
    await markUndelivered(tx, { conversation, message, why, from, now: new Date() });
  });
}

/** Returns the delivery error for teammates, with the diagnostic of the other server. */
function bounceSentence({ recipient, status, diagnostic }: Bounce): string {
  const address = recipient ?? 'the recipient';
  const reason = [status !== null && !diagnostic?.includes(status) ? status : null, diagnostic]
    .filter((part) => part !== null)
    .join(' ');
  return reason === ''
    ? `The mail server of ${address} returned the email.`
    : `The mail server of ${address} returned the email: ${reason.endsWith('.') ? reason : `${reason}.`}`;
}
