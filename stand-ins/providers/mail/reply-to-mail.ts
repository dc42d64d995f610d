import type { SendMailOptions } from 'nodemailer';
import { idAt } from '../make-ids.ts';
import type { Providers } from '../providers.ts';
import type { Mail } from './mail-state.ts';
import { type SendResult, sendToService } from './send-to-service.ts';

/** Replies to a mail from the service as its recipient, or as the given writer. */
export async function replyToMail(
  providers: Providers,
  mail: Mail,
  text: string,
  as?: Writer,
): Promise<SendResult> {
  const address = mail.envelope.to[0] ?? '';
  const known = mail.email.to?.find((each) => each.address?.toLowerCase() === address.toLowerCase());
  const writer = as ?? { name: known?.name ?? '', address };
  const reply = writeReply(mail, writer, text);
  const written = { ...reply.mail, messageId: idAt(writer.address) };
  return await sendToService(providers, written, { from: writer.address, to: [reply.to] });
}

type Writer = { name: string; address: string };

/**
 * Writes a reply as mail programs do: to the reply address, in the thread, with the mail quoted below in text and HTML.
 */
function writeReply(mail: Mail, writer: Writer, text: string): { mail: SendMailOptions; to: string } {
  const { email } = mail;
  const to = email.replyTo?.[0]?.address ?? email.from?.address ?? mail.envelope.from;
  const references = [email.references, email.messageId].filter(Boolean).join(' ');
  const quoted = (email.text ?? '').trimEnd().split(/\r?\n/);
  const sender = email.from?.name || (email.from?.address ?? '');
  const intro = `On ${mail.at.toUTCString()}, ${sender} wrote:`;
  const subject = email.subject ?? '';
  return {
    to,
    mail: {
      from: writer,
      to,
      subject: /^re:/i.test(subject) ? subject : `Re: ${subject}`,
      text: `${text}\n\n${intro}\n${quoted.map((line) => `> ${line}`.trimEnd()).join('\n')}\n`,
      html: `<div dir="auto">${toHtml(text)}</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">${toHtml(intro)}<br></div><blockquote class="gmail_quote" style="margin:0 0 0 .8ex;border-left:1px #ccc solid;padding-left:1ex">${email.html ?? toHtml(quoted.join('\n'))}</blockquote></div>`,
      ...(email.messageId ? { inReplyTo: email.messageId, references } : {}),
    },
  };
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function toHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '').replaceAll(/\r?\n/g, '<br>');
}
