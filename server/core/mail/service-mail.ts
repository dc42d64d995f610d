import { isIP } from 'node:net';
import { v7 as uuidv7 } from 'uuid';
import { settings } from '#server/core/env.ts';
import { sendMail } from '#server/core/mail/send-mail.ts';

/** Sends the service's own mail to one person. Throws when the mail is not sent. */
export async function sendServiceMail(mail: {
  workspaceId: string | null;
  to: { name: string; address: string };
  subject: string;
  text: string;
  /** Unique part of the Message-ID, if a crash could cause a second copy: mail clients then show one. */
  id?: string | undefined;
  /** Message-IDs of earlier mails, none by default. */
  references?: string[];
}): Promise<void> {
  const { id = uuidv7(), references = [], ...rest } = mail;
  const from = serviceSender();
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  const messageId = `<${id}@${domain}>`;
  await sendMail({ ...rest, references, from, messageId, autoSubmitted: 'auto-generated' });
}

/** Emails in flight, and for how long new ones are started, in ms. One email takes at most 10 s. */
const CONCURRENCY = 5;
const START_WINDOW_MS = 8_000;

/** Sends the emails that are due, in their order, and finishes within twenty seconds: it leaves those that it has no time for. */
export async function mailInTurn<T>(due: T[], send: (each: T) => Promise<void>): Promise<void> {
  const startUntil = performance.now() + START_WINDOW_MS;
  const waiting = due.values();
  const sendSome = async () => {
    for (const each of waiting) {
      await send(each);
      if (performance.now() >= startUntil) return;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, sendSome));
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
