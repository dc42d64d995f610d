import { db } from '#server/ground/db.ts';
import { log } from '#server/ground/log.ts';
import type { OutgoingMessage, SendOutcome } from '#server/inbox/channels/channel-adapter.ts';
import { CHANNELS } from '#server/inbox/channels/channels.ts';
import { recordOutcome } from '#server/inbox/messages/record-outcome.ts';
import { contactName } from '#server/people/contacts/contact-record.ts';

/** So many earlier messages are named in a new one; enough for every mail program to keep the thread. */
const REFERENCES_MAX = 20;

const UNKNOWN_REASON = 'The message could not be sent.';

/**
 * Sends a message that is marked as being sent, on the channel of its conversation, and records what came of it.
 * No transaction is open meanwhile (decisions: conversations and contacts, 9). What the channel answered is
 * returned also when it could not be recorded: the message has left and must not be sent again.
 * @param options.notifies false for a caller who waits for the outcome: nobody else is told that it failed
 */
export async function sendMessage(id: string, options: { notifies?: boolean } = {}): Promise<SendOutcome> {
  const outcome = await handToChannel(id);
  log().info({ messageId: id, status: outcome.status }, 'message.sent');
  await recordOutcome(id, outcome, options).catch((error: unknown) => {
    log().error({ err: error, messageId: id }, 'message.outcome_not_recorded');
  });
  return outcome;
}

async function handToChannel(id: string): Promise<SendOutcome> {
  try {
    const message = await findOutgoing(id);
    return await CHANNELS[message.conversation.channel].send(message);
  } catch (error) {
    log().error({ err: error, messageId: id }, 'message.send_failed');
    return { status: 'failed', reason: UNKNOWN_REASON };
  }
}

const mailboxSelect = { address: true, name: true };

async function findOutgoing(id: string): Promise<OutgoingMessage> {
  const { conversation, ...message } = await db().message.findUniqueOrThrow({
    where: { id },
    select: {
      id: true,
      content: true,
      authorName: true,
      conversation: {
        select: {
          subject: true,
          channel: true,
          externalThreadId: true,
          contact: { select: { email: true, phone: true, firstName: true, lastName: true } },
          mailbox: { select: mailboxSelect },
          workspace: { select: { mailboxes: { select: mailboxSelect, where: { isDefault: true } } } },
          messages: {
            select: { externalId: true },
            // A web chat that was merged into the conversation has ids of its own, which are no Message-IDs.
            where: {
              externalId: { not: null },
              NOT: { externalId: { startsWith: 'webchat:' } },
              id: { not: id },
            },
            orderBy: { createdAt: 'desc' },
            take: REFERENCES_MAX,
          },
        },
      },
    },
    relationLoadStrategy: 'join',
  });
  const { contact, mailbox, workspace, messages, ...rest } = conversation;
  return {
    ...message,
    conversation: rest,
    contact: contact && { name: contactName(contact), email: contact.email, phone: contact.phone },
    mailbox: mailbox ?? workspace.mailboxes[0] ?? null,
    references: messages.flatMap(({ externalId }) => externalId ?? []).reverse(),
  };
}
