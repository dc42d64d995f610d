import { contactName } from '#server/contacts/contact-record.ts';
import { db } from '#server/db.ts';
import { log } from '#server/log.ts';
import { sendMail } from '#server/mail/send-mail.ts';

const BROKEN_OFF = 'Sending was broken off, and whether the contact received it is not known.';
const NO_ADDRESS = 'There is no e-mail address to send this to, or no mailbox to send it from.';
const REFUSED = 'The mail server did not take the message.';

/**
 * Sends a queued e-mail message. It is marked as being sent before anything leaves, and no transaction is open
 * while the mail server is asked: a message found half-sent after a crash is marked failed and never sent again
 * (decisions: conversations and contacts, 9).
 */
export async function sendQueuedMessage(messageId: string): Promise<void> {
  const { count } = await db().message.updateMany({
    where: { id: messageId, sendStatus: 'queued' },
    data: { sendStatus: 'sending', sendStartedAt: new Date() },
  });
  if (count === 0) {
    await finish(messageId, { sendStatus: 'failed', deliveryError: BROKEN_OFF });
    return;
  }
  const message = await findMessage(messageId);
  const { mailbox, contact, subject } = message.conversation;
  if (!mailbox || !contact?.email) {
    await finish(messageId, { sendStatus: 'failed', deliveryError: NO_ADDRESS });
    return;
  }
  const externalId = `<${messageId}@${mailbox.address.slice(mailbox.address.lastIndexOf('@') + 1)}>`;
  try {
    await sendMail({
      from: { name: message.authorName ?? mailbox.name, address: mailbox.address },
      to: { name: contactName(contact) ?? '', address: contact.email },
      subject: subject ?? '',
      text: message.content,
      messageId: externalId,
    });
  } catch (error) {
    log().warn({ err: error, messageId }, 'message.not_sent');
    await finish(messageId, { sendStatus: 'failed', deliveryError: REFUSED });
    return;
  }
  await finish(messageId, { sendStatus: 'sent', externalId });
  log().info({ messageId }, 'message.sent');
}

function findMessage(id: string) {
  return db().message.findUniqueOrThrow({
    where: { id },
    select: {
      content: true,
      authorName: true,
      conversation: {
        select: {
          subject: true,
          contact: { select: { email: true, firstName: true, lastName: true } },
          mailbox: { select: { address: true, name: true } },
        },
      },
    },
    relationLoadStrategy: 'join',
  });
}

async function finish(
  id: string,
  outcome: { sendStatus: 'sent'; externalId: string } | { sendStatus: 'failed'; deliveryError: string },
): Promise<void> {
  await db().message.updateMany({ where: { id, sendStatus: 'sending' }, data: outcome });
}
