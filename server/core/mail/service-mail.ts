import { isIP } from 'node:net';
import { v7 as uuidv7 } from 'uuid';
import { settings } from '#server/core/env.ts';
import { sendMail } from '#server/core/mail/send-mail.ts';

/** Sends the service's own mail to one person. Throws when the mail is not sent. */
export async function sendServiceMail(mail: {
  to: { name: string; address: string };
  subject: string;
  text: string;
  /** Message-IDs of earlier mails, none by default. */
  references?: string[];
}): Promise<void> {
  const from = serviceSender();
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  await sendMail({
    references: [],
    ...mail,
    from,
    messageId: `<${uuidv7()}@${domain}>`,
    autoSubmitted: 'auto-generated',
  });
}

/**
 * Returns the sender of the service's own mail: `MAIL_FROM`, else `no-reply` at the host of `BASE_URL`. Nobody reads replies.
 */
export function serviceSender(): { name: string; address: string } {
  const { SERVICE_NAME, MAIL_FROM, BASE_URL } = settings();
  return { name: SERVICE_NAME, address: MAIL_FROM ?? `no-reply@${mailDomain(BASE_URL)}` };
}

/** Returns the host of an address, or `localhost` for an IP address, which is not a mail domain. */
function mailDomain(baseUrl: string): string {
  const { hostname } = new URL(baseUrl);
  return hostname.startsWith('[') || isIP(hostname) ? 'localhost' : hostname;
}

const FORMAT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

/** Formats a timestamp for a mail, to the minute, in UTC because the time zone of the reader is unknown. */
export function formatTimestamp(at: Date | string): string {
  return `${FORMAT.format(new Date(at))} UTC`;
}
