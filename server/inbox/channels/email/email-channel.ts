import { log } from '#server/ground/log.ts';
import { isMailTimeout, sendMail } from '#server/ground/mail/send-mail.ts';
import type { ChannelAdapter, OutgoingMessage, SendOutcome } from '#server/inbox/channels/channel-adapter.ts';
import { findMailbox } from '#server/inbox/channels/email/find-mailbox.ts';
import { lowestPlanWith, PLANS } from '#server/people/teammates/plans.ts';

const NO_ADDRESS = 'There is no email address to send this to, or no mailbox to send it from.';
const REFUSED = 'The mail server did not accept the message.';
const TOO_SLOW = 'The mail server did not answer in time, so the contact may not have received the message.';

/** E-mail over SMTP, from the mailbox of the conversation. */
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
const NO_PLAN = `Sending email needs the ${lowestPlanWith('emailSending')} plan or a higher one: replies are saved here, but not sent.`;
const NO_DOMAIN =
  'Sending email needs a mailbox on a verified email domain: replies are saved here, but not sent.';

/** Its Message-ID is made of the message's own id, so that answers find their way back. */
async function sendEmail(message: OutgoingMessage): Promise<SendOutcome> {
  const { mailbox, contact, references } = message;
  if (!mailbox || !contact?.email) return { status: 'failed', reason: NO_ADDRESS };
  const externalId = `<${message.id}@${mailbox.address.slice(mailbox.address.lastIndexOf('@') + 1)}>`;
  const subject = message.conversation.subject ?? '';
  try {
    await sendMail({
      from: { name: message.authorName ?? mailbox.name, address: mailbox.address },
      to: { name: contact.name ?? '', address: contact.email },
      subject: references.length > 0 ? asAnswer(subject) : subject,
      text: message.content,
      messageId: externalId,
      references,
    });
  } catch (error) {
    log().warn({ err: error, messageId: message.id }, 'message.not_sent');
    return { status: 'failed', reason: isMailTimeout(error) ? TOO_SLOW : REFUSED };
  }
  return { status: 'sent', externalId };
}

/** The subject of an answer, as mail programs thread it. */
function asAnswer(subject: string): string {
  return /^re:/i.test(subject) ? subject : `Re: ${subject}`.trimEnd();
}
