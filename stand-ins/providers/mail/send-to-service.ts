import nodemailer, { type SendMailOptions } from 'nodemailer';
import PostalMime from 'postal-mime';
import { domainOf } from '../dns/find-records.ts';
import { uuid } from '../make-ids.ts';
import { changed, type Providers } from '../providers.ts';
import { addMail, type Mail } from './mail-state.ts';
import { signatureOf } from './sign-mail.ts';

const TIMEOUT_MS = 20_000;

/** The service's response to a contact's mail. */
export type SendResult = { id: string; accepted: boolean; answer: string; messageId: string };

/**
 * Sends a contact's mail to the service's SMTP port, as the contact's mail server would, and stores a copy.
 * @param written mail options of nodemailer, or a complete mail in `raw`
 * @param envelope SMTP sender and recipients; a bounce has an empty sender. The mail is signed with the sender's domain unless it
 *   is forged
 */
export async function sendToService(
  providers: Providers,
  written: SendMailOptions,
  { isForged = false, ...envelope }: { from: string; to: string[]; isForged?: boolean },
): Promise<SendResult> {
  const composer = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  const { message } = await composer.sendMail({
    ...written,
    envelope: { ...envelope, from: envelope.from || false },
    ...(isForged ? {} : signatureOf(providers.state.mail.signing, domainOf(envelope.from))),
  });
  const raw = Buffer.isBuffer(message) ? message : Buffer.from(String(message));
  const email = await PostalMime.parse(raw);
  const { accepted, answer } = await post(providers.settings.inboundSmtpPort, raw, envelope);
  const mail: Mail = { id: uuid(), direction: 'in', at: new Date(), envelope, raw, email, answer, accepted };
  addMail(providers.state.mail, mail);
  changed(providers);
  return { id: mail.id, accepted, answer, messageId: email.messageId ?? '' };
}

/** Delivers a mail to the service's SMTP port. */
export async function post(
  port: number | null,
  raw: Buffer,
  envelope: { from: string; to: string[] },
): Promise<{ accepted: boolean; answer: string }> {
  if (port === null)
    return { accepted: false, answer: 'The service receives no mail, as INBOUND_SMTP_PORT is not set.' };
  const transport = nodemailer.createTransport({
    host: '127.0.0.1',
    port,
    name: 'mail.contacts.example',
    tls: { rejectUnauthorized: false },
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  });
  try {
    const { response } = await transport.sendMail({
      envelope: { ...envelope, from: envelope.from || false },
      raw,
    });
    return { accepted: true, answer: response };
  } catch (error) {
    const said = error instanceof Error && 'response' in error ? error.response : undefined;
    return { accepted: false, answer: String(said ?? (error instanceof Error ? error.message : error)) };
  } finally {
    transport.close();
  }
}
