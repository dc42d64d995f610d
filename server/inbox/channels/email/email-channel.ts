import { Readable } from 'node:stream';
import { db } from '#server/core/database/prisma.ts';
import { retryWhileDatabaseAway } from '#server/core/database/retry.ts';
import { sql } from '#server/core/database/sql.ts';
import { LIMITS } from '#server/core/limits/limits.ts';
import { log } from '#server/core/log.ts';
import { MailFault } from '#server/core/mail/mail-fault.ts';
import { type MailFile, type MailRecipient, sendMail } from '#server/core/mail/send-mail.ts';
import { truncateText } from '#server/core/text.ts';
import type {
  ChannelAdapter,
  OutgoingMessage,
  QuotedMessage,
  SendOutcome,
} from '#server/inbox/channels/channel-adapter.ts';
import { AUTOMATIC_AUTHORS, countProgramMessage } from '#server/inbox/channels/count-program-message.ts';
import { findMailbox, returnAddresses } from '#server/inbox/channels/email/mailboxes.ts';
import { findOwnAddresses } from '#server/inbox/channels/email/own-addresses.ts';
import { writeMailBody } from '#server/inbox/channels/email/write-mail-body.ts';
import { lowestPlanWith, PLANS } from '#server/teammates/plans.ts';

const OWN_ADDRESS =
  'This would be sent to one of your own addresses, and come back as a new message. Reply to the person’s own address instead.';
const NO_ADDRESS = 'There is no email address to send this to, or no mailbox to send it from.';
const TOO_MANY = `More than ${LIMITS.program_mail.points} automatic messages went to this address within an hour, so this one was not sent. Check whether two systems are replying to each other, and try again in an hour.`;
const REFUSED = 'The mail server did not accept the message.';
const NOT_ACCEPTED = 'The mail server did not accept the message after several attempts.';
const DISCONNECTED =
  'The connection to the mail server broke, so the contact may not have received the message.';
const TOO_SLOW = 'The mail server did not answer in time, so the contact may not have received the message.';

/** Email over SMTP, sent from the conversation's mailbox. */
export const emailChannel: ChannelAdapter = {
  async firstStatus(db, { workspaceId, mailboxId }) {
    const mailbox = await findMailbox(db, { workspaceId, mailboxId });
    return mailbox?.canSend ? 'sending' : 'held_for_paywall';
  },
  async warning(db, { workspaceId, plan, mailboxId, contactEmail }) {
    if (contactEmail === null) return { sentence: NOBODY, fix: null };
    if (!PLANS[plan].emailSending) return { sentence: NO_PLAN, fix: 'plan' };
    const mailbox = await findMailbox(db, { workspaceId, mailboxId });
    return mailbox?.canSend ? null : { sentence: NO_DOMAIN, fix: 'domain' };
  },
  send: sendEmail,
};

const NOBODY = 'This contact has no email address: replies are saved here, but cannot be sent.';
const NO_PLAN = `Sending email needs the ${lowestPlanWith('emailSending')} plan or higher: replies are saved here, but not sent.`;
const NO_DOMAIN =
  'Sending email needs a mailbox on a verified email domain: replies are saved here, but not sent.';

/** Sends an email. Its Message-ID contains the message's id, so replies can be matched. */
async function sendEmail(message: OutgoingMessage): Promise<SendOutcome> {
  const { mailbox, references } = message;
  const named = recipientsOf(message);
  if (!mailbox || named.length === 0) return { status: 'failed', reason: NO_ADDRESS };
  const { to, cc, bcc } = await withoutOwn(message, named);
  if (to.length === 0) return { status: 'failed', reason: OWN_ADDRESS };
  const domain = mailbox.address.slice(mailbox.address.lastIndexOf('@') + 1);
  for (const { address } of to) {
    if (!(await countProgramMessage(message, 'program_mail', `${domain} ${address}`)))
      return { status: 'failed', reason: TOO_MANY };
  }
  const externalId = `<${message.id}@${domain}>`;
  const body = writeMailBody({
    text: message.content,
    formatted: message.formatted,
    signature: message.signature,
    quote: quoteOf(message),
  });
  const files: MailFile[] = [];
  const opened: Readable[] = [];
  try {
    // Stored before sending: a reply can arrive before the mail server's response.
    await retryWhileDatabaseAway(() => storeReference(message.id, externalId));
    for (const { open, ...file } of message.attachments) {
      const source = await open();
      const content = Readable.from(source);
      opened.push(content, source);
      files.push({ ...file, content });
    }
    const { refused } = await sendMail({
      workspaceId: message.workspaceId,
      ...returnAddresses(mailbox, { conversationId: message.conversation.id, messageId: message.id }),
      ...(AUTOMATIC_AUTHORS.has(message.authorKind) ? { autoSubmitted: 'auto-replied' } : {}),
      from: { name: message.authorName ?? mailbox.name, address: mailbox.address },
      to,
      cc,
      bcc,
      onlyTo: missingOf(message, { to, cc, bcc }),
      subject: subjectOf(message),
      text: body.text,
      html: message.html ?? body.html,
      files,
      messageId: externalId,
      references: message.forward ? [] : references,
      signature: mailbox.dkim,
    });
    return refused.length === 0
      ? { status: 'sent', externalId }
      : {
          status: 'failed',
          reason: refusedSentence(refused),
          providerIds: [externalId],
          undeliveredTo: refused,
        };
  } catch (error) {
    log().warn({ err: error, messageId: message.id }, 'message.not_sent');
    return outcomeOf(error);
  } finally {
    // Also those that were not read: a response of the store would hold its connection.
    for (const stream of opened) stream.destroy();
  }
}

/** Returns the third party of a forward, else the addresses that the contact asked to answer, else the contact. */
function recipientsOf({ forward, contact, mailTo }: OutgoingMessage): MailRecipient[] {
  if (forward) return [{ name: '', address: forward.to }];
  if (mailTo.length > 0) return mailTo.map((address) => ({ name: '', address }));
  return contact?.email ? [{ name: contact.name ?? '', address: contact.email }] : [];
}

/** Removes recipients that lead back to the workspace: nothing is sent to ourselves (docs/rulings.md 3.37). */
async function withoutOwn({ workspaceId, cc, bcc }: OutgoingMessage, to: MailRecipient[]) {
  const addresses = [...to.map(({ address }) => address), ...cc, ...bcc];
  const own = await retryWhileDatabaseAway(() => findOwnAddresses(db(), { workspaceId, addresses }));
  const isOther = (address: string) => !own.has(address);
  return {
    to: to.filter(({ address }) => isOther(address)),
    cc: cc.filter(isOther),
    bcc: bcc.filter(isOther),
  };
}

/**
 * Returns the recipients of an email that is sent again to those who did not get it, or undefined for all. The contact's new address
 * replaces one that was refused.
 */
function missingOf(
  { undeliveredTo }: OutgoingMessage,
  { to, cc, bcc }: { to: MailRecipient[]; cc: string[]; bcc: string[] },
): string[] | undefined {
  const main = to.map(({ address }) => address);
  const all = [...main, ...cc, ...bcc];
  const missing = undeliveredTo.flatMap((address) => (all.includes(address) ? [address] : main));
  return missing.length === 0 ? undefined : [...new Set(missing)];
}

function subjectOf(message: OutgoingMessage): string {
  const subject = message.conversation.subject ?? '';
  if (message.forward) return `Fwd: ${subject}`.trimEnd();
  return isReply(message) ? replySubject(subject) : subject;
}

type Quote = { head: string[]; text: string };

/** Maximum length of the message that a reply quotes, in characters. */
const ANSWERED_MAX = 10_000;

/** Returns the message that a forward or a reply quotes, or null. */
function quoteOf({ forward, answered }: OutgoingMessage): Quote | null {
  if (forward) return forward.original && forwardedQuote(forward.original);
  if (!answered) return null;
  const { author, sentAt, text } = answered;
  const [date, time] = [sentAt.toUTCString().slice(0, 16), sentAt.toISOString().slice(11, 16)];
  return {
    head: [`On ${date} at ${time} UTC, ${author ?? 'you'} wrote:`],
    text: truncateText(text, ANSWERED_MAX, '…'),
  };
}

function forwardedQuote({ author, sentAt, text }: QuotedMessage): Quote {
  const date = sentAt.toUTCString().replace('GMT', 'UTC');
  return {
    head: ['Forwarded message', ...(author === null ? [] : [`From: ${author}`]), `Date: ${date}`],
    text,
  };
}

function outcomeOf(error: unknown): SendOutcome {
  // All other errors occur before the mail server is contacted.
  if (!(error instanceof MailFault)) return { status: 'deferred', reason: NOT_ACCEPTED };
  const { isTimeout } = error;
  if (error.kind === 'temporary') {
    return { status: 'deferred', reason: isTimeout ? TOO_SLOW : NOT_ACCEPTED, isTimeout };
  }
  if (error.kind === 'refused') return { status: 'failed', reason: REFUSED };
  return { status: 'failed', reason: isTimeout ? TOO_SLOW : DISCONNECTED };
}

/** Describes a partial refusal. The mail is not retried: the other recipients would get it twice. */
function refusedSentence(refused: string[]): string {
  const others = refused.length === 1 ? '' : ` and ${refused.length - 1} more`;
  return `The mail server did not accept ${refused[0]}${others}. The message was sent to the other recipients.`;
}

async function storeReference(messageId: string, header: string): Promise<void> {
  await sql().$executeRaw`
    insert into mail_references (workspace_id, message_id_header, message_id, conversation_id)
    select workspace_id, ${header}, id, conversation_id from messages where id = ${messageId}::uuid
    on conflict do nothing`;
}

/** Returns whether an earlier email or message of the contact exists. Some of them have no Message-ID. */
function isReply({ references, lastReceivedAt }: OutgoingMessage): boolean {
  return references.length > 0 || lastReceivedAt !== null;
}

/** Returns the subject with one `Re:` in front, by which mail programs group threads (RFC 5322 §3.6.5). */
export function replySubject(subject: string): string {
  const once = subject.trim().replace(/^(re(\[\d+\])?:\s*)+(?=re(\[\d+\])?:)/i, '');
  return /^re(\[\d+\])?:/i.test(once) ? once : `Re: ${once}`.trimEnd();
}
