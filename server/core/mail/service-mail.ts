import { isIP } from 'node:net';
import { v7 as uuidv7 } from 'uuid';
import { settings } from '#server/core/env.ts';
import { sendMail } from '#server/core/mail/send-mail.ts';

/** Sends a mail that the service itself writes to one person. Throws when it does not leave. */
export async function sendServiceMail(mail: {
  to: { name: string; address: string };
  subject: string;
  text: string;
}): Promise<void> {
  const from = serviceSender();
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  await sendMail({
    ...mail,
    from,
    messageId: `<${uuidv7()}@${domain}>`,
    references: [],
    autoSubmitted: 'auto-generated',
  });
}

/**
 * Whom mail is from that the service itself writes: `MAIL_FROM`, else `no-reply` at the host of `BASE_URL`. No one
 * reads the responses.
 */
export function serviceSender(): { name: string; address: string } {
  const { SERVICE_NAME, MAIL_FROM, BASE_URL } = settings();
  return { name: SERVICE_NAME, address: MAIL_FROM ?? `no-reply@${mailDomain(BASE_URL)}` };
}

/** A number is no domain that mail could come from; a trial under an IP address gets `localhost`. */
function mailDomain(baseUrl: string): string {
  const { hostname } = new URL(baseUrl);
  return hostname.startsWith('[') || isIP(hostname) ? 'localhost' : hostname;
}

const FORMAT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

/** A timestamp in a mail: to the minute, in UTC, as a mail does not know where it is read. */
export function formatTimestamp(at: Date | string): string {
  return `${FORMAT.format(new Date(at))} UTC`;
}
