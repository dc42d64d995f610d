import { afterCommit } from '#server/core/database/after-commit.ts';
import { db, inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { publish } from '#server/core/live/publish.ts';
import { lockConversation } from '#server/inbox/conversations/lock-conversation.ts';
import type { TimelineContent } from '#server/inbox/conversations/timeline.ts';
import type { ParsedMail, ReportedRecipient } from '#server/inbox/mail-parser/parsed-mail.ts';
import { notifyOfFailure, outcomeSelect } from '#server/inbox/messages/record-outcome.ts';
import { markUndelivered } from '#server/inbox/messages/record-status.ts';

const bouncedSelect = {
  ...outcomeSelect,
  cc: true,
  bcc: true,
  mailTo: true,
  conversation: {
    select: {
      removal: true,
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

type BouncedMessage = Awaited<ReturnType<typeof findMessages>>[number];

/** A mail that came back to the bounce address of an outgoing message. */
export type ReturnedMail = {
  message: BouncedMessage;
  /** What the mail reports about a recipient of the message. Null when it reports nothing that can be read. */
  reported: (ReportedRecipient & { recipient: string }) | null;
  /** The message may not have arrived. */
  isDoubtful: boolean;
};

/**
 * Finds the outgoing message that a mail to its bounce address is about: every mail with the null sender, and every report
 * about a recipient of the message. A report about another address proves no failure, as every recipient of a mail knows
 * its bounce address.
 * @param messageIds the messages whose bounce addresses received the mail
 * @param envelopeFrom envelope sender, empty for the null sender
 */
export async function findReturned(
  messageIds: string[],
  mail: ParsedMail,
  envelopeFrom: string,
): Promise<ReturnedMail | null> {
  if (messageIds.length === 0) return null;
  const messages = await findMessages(messageIds);
  for (const message of messages) {
    const reported = reportAbout(message, mail.bounce ?? []);
    if (reported) return { message, reported, isDoubtful: false };
  }
  const [message] = messages;
  if (message === undefined || envelopeFrom !== '') return null;
  return { message, reported: null, isDoubtful: reportsFailure(mail, message) };
}

function findMessages(ids: string[]) {
  return db().message.findMany({
    where: { id: { in: ids }, direction: { not: 'inbound' } },
    select: bouncedSelect,
  });
}

/** Returns the report about a recipient of the message, a failure first. */
function reportAbout(message: BouncedMessage, bounce: ReportedRecipient[]): ReturnedMail['reported'] {
  const recipients = recipientsOf(message);
  const about = bounce.flatMap((each) => {
    const recipient = each.addresses.find((address) => recipients.includes(address));
    return recipient === undefined ? [] : { ...each, recipient };
  });
  return about.find(({ action }) => action === 'failed') ?? about[0] ?? null;
}

/** Returns the addresses that a message was sent to: those in `mailTo` instead of the contact's, if there are any. */
function recipientsOf({ direction, mailTo, cc, bcc, conversation }: BouncedMessage): string[] {
  if (direction === 'forward') return mailTo;
  if (mailTo.length > 0) return [...mailTo, ...cc, ...bcc];
  const { contact } = conversation;
  const merged = contact?.identities.map(({ externalId }) => externalId) ?? [];
  return [contact?.email ?? contact?.claimedEmail ?? '', ...merged, ...cc, ...bcc];
}

/** Returns whether a mail can report a failure: neither a recipient's own note, nor a receipt, nor a report of success. */
function reportsFailure(
  { isFromMailServer, automatic, bounce, from }: ParsedMail,
  message: BouncedMessage,
): boolean {
  if (!isFromMailServer || automatic === 'receipt') return false;
  if (bounce !== null) return bounce.some(({ action }) => action === 'failed');
  return from === null || !recipientsOf(message).includes(from.address);
}

/**
 * Records what a returned mail means for its message. A failure (RFC 3464) marks the message as failed, with the reason
 * from the other server, and notifies the author and the assignee. An unreadable mail only marks it as doubtful, and
 * notifies them too. A second mail of the kind changes nothing.
 */
export async function recordReturned({ message, reported, isDoubtful }: ReturnedMail): Promise<void> {
  const { workspaceId, conversationId } = message;
  const isFailed = reported?.action === 'failed';
  if (!isFailed && !isDoubtful) return;
  await inTransaction(async (tx) => {
    const conversation = await lockConversation(tx, { workspaceId, id: conversationId });
    const now = new Date();
    if (isFailed) {
      const why = bounceSentence(reported);
      const from = { in: ['sent' as const, 'sending' as const] };
      await noteUndelivered(tx, message, reported.recipient);
      await markUndelivered(tx, { conversation, message, why, from, now });
      return;
    }
    const { count } = await tx.message.updateMany({
      where: {
        id: message.id,
        arrivalDoubtful: false,
        OR: [{ sendStatus: null }, { sendStatus: { not: 'failed' } }],
      },
      data: { arrivalDoubtful: true },
    });
    if (count === 0) return;
    await notifyOfFailure(tx, { conversation, message, why: RETURNED, isDoubtful, now });
    afterCommit(tx, () => publish(workspaceId, 'conversations'));
  });
}

/** Notes that a recipient did not get a message that others got, so that they do not get it twice when it is sent again. */
async function noteUndelivered(tx: Tx, message: BouncedMessage, recipient: string): Promise<void> {
  const others = message.cc.length + message.bcc.length + Math.max(1, message.mailTo.length) - 1;
  if (others === 0) return;
  await tx.$executeRaw`
    update messages set undelivered_to = array_append(undelivered_to, ${recipient}::text)
    where id = ${message.id}::uuid and ${recipient}::text <> all(undelivered_to)`;
}

const RETURNED = 'A mail server returned an email about it.';

/** Returns whether the conversation of the message is deleted. Mail that comes back from it must not start a new one. */
export function isDeleted({ message }: ReturnedMail): boolean {
  return message.conversation.removal === 'deleted';
}

/** Returns the timeline entries of a report that is no failure. */
export function entriesOf({ reported }: ReturnedMail): TimelineContent[] {
  if (reported?.action !== 'delayed' && reported?.action !== 'relayed') return [];
  return [{ kind: 'delivery_reported', data: { email: reported.recipient, state: reported.action } }];
}

/** Meanings of the statuses (RFC 3463) that servers often send without a diagnostic. */
const MEANINGS: [RegExp, string][] = [
  [/^5\.1\.[01236]$/, 'the address does not exist'],
  [/^[45]\.2\.2$/, 'the mailbox is full'],
  [/^5\.(?:2\.3|3\.4)$/, 'it is too large'],
  [/^[45]\.4\.[147]$/, 'it could not be delivered in time'],
  [/^[45]\.7\.\d+$/, 'the rules of the server refuse it'],
];

/** Returns the delivery error for teammates, with the diagnostic of the other server. */
function bounceSentence({ recipient, status, diagnostic }: NonNullable<ReturnedMail['reported']>): string {
  const meaning = MEANINGS.find(([pattern]) => pattern.test(status ?? ''))?.[1];
  if (meaning !== undefined && !diagnostic) {
    return `The mail server of ${recipient} returned the email: ${meaning} (${status}).`;
  }
  const reason = [status !== null && !diagnostic?.includes(status) ? status : null, diagnostic]
    .filter((part) => part !== null)
    .join(' ');
  return reason === ''
    ? `The mail server of ${recipient} returned the email.`
    : `The mail server of ${recipient} returned the email: ${reason.endsWith('.') ? reason : `${reason}.`}`;
}
