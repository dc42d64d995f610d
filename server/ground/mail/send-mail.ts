import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import nodemailer, { type SendMailOptions } from 'nodemailer';
import SMTPTransport from 'nodemailer/lib/smtp-transport/index.js';
import { settings } from '#server/ground/env.ts';
import { requiresTls } from '#server/ground/mail/requires-tls.ts';

/** How long a mail server may take for a mail, in milliseconds. */
const SMTP_TIMEOUT_MS = 10_000;

/** The name of the error of a mail server that took longer. */
const TIMEOUT = 'TimeoutError';

/** A mail to send. Addresses are passed as objects, so that no name can smuggle in another address. */
export type Mail = {
  from: { name: string; address: string };
  to: { name: string; address: string };
  subject: string;
  text: string;
  messageId: string;
  /** Message-IDs of the mails before it in its thread, oldest first. */
  references: string[];
  /** Written by the service itself, not by a person: programs that answer mail leave it alone (RFC 3834). */
  isAutomatic?: true;
};

/** Whether sending failed for want of an answer in time: then nobody knows whether the mail was taken. */
export function isMailTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === TIMEOUT;
}

/**
 * Sends a mail over SMTP when `SMTP_URL` is set; else saves it as an `.eml` file in `MAIL_DIR`, where a developer
 * finds it and no other user of the machine reads it. Throws when the mail server refuses or does not answer in time.
 */
export async function sendMail(mail: Mail): Promise<void> {
  const { SMTP_URL } = settings();
  const { references, isAutomatic, ...rest } = mail;
  const answered = references.at(-1);
  const message: SendMailOptions = {
    ...rest,
    ...(answered ? { references, inReplyTo: answered } : {}),
    ...(isAutomatic ? { headers: { 'Auto-Submitted': 'auto-generated' } } : {}),
  };
  if (SMTP_URL) await sendOverSmtp(SMTP_URL, message);
  else await saveAsFile(message);
}

/**
 * Breaks the connection off when the time is up: what is told as failed must not leave later, when a slow server
 * comes round. Nodemailer limits only single steps, and closing its transport leaves a connection in use open.
 */
async function sendOverSmtp(url: string, mail: SendMailOptions): Promise<void> {
  const breakOff = new AbortController();
  const outOfTime = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    outOfTime.reject(new DOMException('The mail server took too long.', TIMEOUT));
    breakOff.abort();
  }, SMTP_TIMEOUT_MS);
  const smtp = new SMTPTransport({
    url,
    requireTLS: requiresTls(url),
    getSocket: connectUntil(breakOff.signal),
  });
  try {
    await Promise.race([nodemailer.createTransport(smtp).sendMail(mail), outOfTime.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** The ports of mail programs, where an address names none (RFC 8314). */
const SUBMISSION_PORT = 587;
const SUBMISSIONS_PORT = 465;

/** Connects for nodemailer, which sets up TLS itself; the signal destroys the connection in whatever state it is. */
function connectUntil(signal: AbortSignal): NonNullable<SMTPTransport.Options['getSocket']> {
  return ({ host = 'localhost', port, secure }, callback) => {
    const defaultPort = secure ? SUBMISSIONS_PORT : SUBMISSION_PORT;
    const socket = connect({ host, port: Number(port ?? defaultPort), keepAlive: true, signal });
    const refuse = (error: Error) => callback(error, {});
    socket.once('error', refuse).once('connect', () => {
      // Broken off after nodemailer has let go of it, it would end the process.
      socket.off('error', refuse).on('error', () => {});
      callback(null, { connection: socket });
    });
  };
}

async function saveAsFile(mail: SendMailOptions): Promise<void> {
  const { MAIL_DIR } = settings();
  const transport = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  const { message } = await transport.sendMail(mail);
  const name = `${new Date().toISOString().replaceAll(':', '-')}-${randomUUID()}`;
  await makePrivate(MAIL_DIR);
  // Written aside and renamed, so that whoever watches the folder never reads half a mail.
  const temporary = join(MAIL_DIR, `.${name}`);
  await writeFile(temporary, message, { mode: 0o600 });
  await rename(temporary, join(MAIL_DIR, `${name}.eml`));
}

/** Mail is for its reader alone: links to new passwords stand in it. A folder that is there already stays as it is. */
async function makePrivate(folder: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    if (!isThere) throw error;
  });
}
