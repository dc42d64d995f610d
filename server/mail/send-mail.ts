import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import nodemailer, { type SendMailOptions } from 'nodemailer';
import { settings } from '#server/env.ts';

/** How long a mail server may take for a mail, in milliseconds. */
const SMTP_TIMEOUT_MS = 10_000;

/** A mail to send. Addresses are passed as objects, so that no name can smuggle in another address. */
export type Mail = {
  from: { name: string; address: string };
  to: { name: string; address: string };
  subject: string;
  text: string;
  messageId: string;
};

/**
 * Sends a mail over SMTP when `SMTP_URL` is set; else saves it as an `.eml` file in `MAIL_DIR`, where a developer
 * finds it. Throws when the mail server refuses or does not answer in time.
 */
export async function sendMail(mail: Mail): Promise<void> {
  const { SMTP_URL } = settings();
  if (SMTP_URL) await sendOverSmtp(SMTP_URL, mail);
  else await saveAsFile(mail);
}

async function sendOverSmtp(url: string, mail: SendMailOptions): Promise<void> {
  // Beside an address nodemailer takes options from its query alone.
  const address = new URL(url);
  for (const timeout of ['connectionTimeout', 'greetingTimeout', 'socketTimeout', 'dnsTimeout']) {
    address.searchParams.set(timeout, String(SMTP_TIMEOUT_MS));
  }
  const transport = nodemailer.createTransport(address.href);
  const outOfTime = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => outOfTime.reject(new Error('The mail server took too long.')),
    SMTP_TIMEOUT_MS,
  );
  try {
    await Promise.race([transport.sendMail(mail), outOfTime.promise]);
  } finally {
    clearTimeout(timer);
    transport.close();
  }
}

async function saveAsFile(mail: SendMailOptions): Promise<void> {
  const { MAIL_DIR } = settings();
  const transport = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  const { message } = await transport.sendMail(mail);
  const name = `${new Date().toISOString().replaceAll(':', '-')}-${randomUUID()}`;
  await mkdir(MAIL_DIR, { recursive: true });
  // Written aside and renamed, so that whoever watches the folder never reads half a mail.
  const temporary = join(MAIL_DIR, `.${name}`);
  await writeFile(temporary, message);
  await rename(temporary, join(MAIL_DIR, `${name}.eml`));
}
