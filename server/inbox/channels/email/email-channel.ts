import { Readable } from 'node:stream';
import { db } from '#server/core/database/db.ts';
import { retryWhileDatabaseAway } from '#server/core/database/retry-while-database-away.ts';
import { settings } from '#server/core/env.ts';
import { LIMITS, takeFrom } from '#server/core/limits/limits.ts';
import { log } from '#server/core/log.ts';
import { MailFault } from '#server/core/mail/mail-fault.ts';
import { type Mail, type MailFile, sendMail } from '#server/core/mail/send-mail.ts';
import type { ActorKind } from '#server/generated/prisma/enums.ts';
import type {
  ChannelAdapter,
  OutgoingFile,
  OutgoingMessage,
  SendOutcome,
} from '#server/inbox/channels/channel-adapter.ts';
import { findMailbox } from '#server/inbox/channels/email/mailboxes.ts';
import { signedAddress } from '#server/inbox/channels/email/signed-address.ts';
import { writeMailBody } from '#server/inbox/channels/email/write-mail-body.ts';
import { lowestPlanWith, PLANS } from '#server/teammates/plans.ts';

const NO_ADDRESS = 'There is no email address to send this to, or no mailbox to send it from.';
const TOO_MANY = `More than ${LIMITS.program_mail.points} automatic messages went to this address within an hour, so this one was not sent. Check whether two systems are replying to each other, and try again in an hour.`;
const REFUSED = 'The mail server did not accept the message.';
const NOT_TAKEN = 'The mail server could not take the message, although it was tried several times.';
const BROKE_OFF =
  'The connection to the mail server broke, so the contact may not have received the message.';
const TOO_SLOW = 'The mail server did not answer in time, so the contact may not have received the message.';

/** Email over SMTP, from the mailbox of the conversation. */
export const emailChannel: ChannelAdapter = {
  async firstStatus(db, { workspaceId, mailboxId }) {
    const mailbox = await findMailbox(db, { workspaceId, mailboxId });
    return mailbox?.canSend ? 'sending' : 'held_for_paywall';
  },
  async warning(db, { workspaceId, plan, mailboxId, contactEmail }) {
    if (contactEmail === null) return { sentence: NOBODY, mend: null };
    if (!PLANS[plan].emailSending) return { sentence: NO_PLAN, mend: 'plan' };
    const mailbox = await findMailbox(db, { workspaceId, mailboxId });
    return mailbox?.canSend ? null : { sentence: NO_DOMAIN, mend: 'domain' };
  },
  send: sendEmail,
};

const NOBODY = 'This contact has no email address: replies are saved here, but cannot be sent.';
const NO_PLAN = `Sending email needs the ${lowestPlanWith('emailSending')} plan or higher: replies are saved here, but not sent.`;
const NO_DOMAIN =
  'Sending email needs a mailbox on a verified email domain: replies are saved here, but not sent.';

/** Its Message-ID is made of the message's own id, so that answers find their way back. */
async function sendEmail(message: OutgoingMessage): Promise<SendOutcome> {
  const { mailbox, contact, references, cc, bcc } = message;
  if (!mailbox || !contact?.email) return { status: 'failed', reason: NO_ADDRESS };
  const domain = mailbox.address.slice(mailbox.address.lastIndexOf('@') + 1);
  if (!(await mayStillSend(message, { domain, to: contact.email }))) {
    return { status: 'failed', reason: TOO_MANY };
  }
  const externalId = `<${message.id}@${domain}>`;
  const subject = message.conversation.subject ?? '';
  const body = writeMailBody({ text: message.content, signature: message.signature });
  let files: MailFile[] = [];
  try {
    // Kept before it leaves: the answer may be here before the mail server's is.
    await retryWhileDatabaseAway(() => keepReference(message.id, externalId));
    files = await openFiles(message.attachments);
    const { refused } = await sendMail({
      ...returnAddresses(message, mailbox),
      ...(BY_MACHINES.has(message.authorKind) ? { autoSubmitted: 'auto-replied' } : {}),
      from: { name: message.authorName ?? mailbox.name, address: mailbox.address },
      to: { name: contact.name ?? '', address: contact.email },
      cc,
      bcc,
      subject: references.length > 0 ? asReply(subject) : subject,
      text: body.text,
      html: message.html ?? body.html,
      files,
      messageId: externalId,
      references,
      signature: mailbox.dkim,
    });
    return refused.length === 0
      ? { status: 'sent', externalId }
      : { status: 'failed', reason: refusedSentence(refused), providerIds: [externalId] };
  } catch (error) {
    log().warn({ err: error, messageId: message.id }, 'message.not_sent');
    return outcomeOf(error);
  } finally {
    for (const { content } of files) content.destroy();
  }
}

/** The files of a message, to be read as the mail is sent. */
async function openFiles(files: OutgoingFile[]): Promise<MailFile[]> {
  const opened: MailFile[] = [];
  for (const { name, contentType, sizeBytes, open } of files) {
    opened.push({ name, contentType, sizeBytes, content: Readable.from(await open()) });
  }
  return opened;
}

function outcomeOf(error: unknown): SendOutcome {
  // Any other error occurred before the mail server was asked.
  if (!(error instanceof MailFault)) return { status: 'deferred', reason: NOT_TAKEN };
  const { isTimeout } = error;
  if (error.kind === 'temporary') {
    return { status: 'deferred', reason: isTimeout ? TOO_SLOW : NOT_TAKEN, isTimeout };
  }
  if (error.kind === 'refused') return { status: 'failed', reason: REFUSED };
  return { status: 'failed', reason: isTimeout ? TOO_SLOW : BROKE_OFF };
}

/** The mail server took the mail for some of its recipients: sent again, it would reach these twice. */
function refusedSentence(refused: string[]): string {
  const others = refused.length === 1 ? '' : ` and ${refused.length - 1} more`;
  return `The mail server did not accept ${refused[0]}${others}; the other recipients were sent the message.`;
}

/** Authors whose replies are automatic (RFC 3834). A reply through the API is the mail of the teammate who connected. */
const BY_MACHINES = new Set<ActorKind>(['ai_agent', 'flow', 'automatic']);

/** Authors that are programs. A workflow replies in a teammate's name, but nobody types these replies. */
const PROGRAMS = new Set<ActorKind>([...BY_MACHINES, 'workflow']);

/** Counts a message of a program towards the limit of its recipient (docs/rulings.md 3.32), once however often it is sent. */
async function mayStillSend(
  { authorKind, deferrals }: OutgoingMessage,
  { domain, to }: { domain: string; to: string },
): Promise<boolean> {
  if (!PROGRAMS.has(authorKind) || deferrals > 0) return true;
  return (await takeFrom('program_mail', `${domain} ${to}`)).allowed;
}

/**
 * Where answers and bounces find their way back (decisions: conversations and contacts, 23), where this installation
 * takes mail in; else both go to the mailbox, wherever that is.
 */
function returnAddresses(
  { id, conversation }: OutgoingMessage,
  mailbox: { address: string; name: string },
): Pick<Mail, 'replyTo' | 'bouncesTo'> {
  if (settings().INBOUND_SMTP_PORT === undefined) return {};
  const domain = mailbox.address.slice(mailbox.address.lastIndexOf('@') + 1);
  return {
    replyTo: { name: mailbox.name, address: signedAddress('reply', conversation.id, domain) },
    bouncesTo: signedAddress('bounce', id, domain),
  };
}

async function keepReference(messageId: string, header: string): Promise<void> {
  await db().$executeRaw`
    insert into mail_references (workspace_id, message_id_header, message_id, conversation_id)
    select workspace_id, ${header}, id, conversation_id from messages where id = ${messageId}::uuid
    on conflict do nothing`;
}

/** The subject of a reply, as mail programs thread it. */
function asReply(subject: string): string {
  return /^re:/i.test(subject) ? subject : `Re: ${subject}`.trimEnd();
}
