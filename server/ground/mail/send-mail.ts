import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import nodemailer, { type SendMailOptions } from 'nodemailer';
import SMTPTransport from 'nodemailer/lib/smtp-transport/index.js';
import { settings } from '#server/ground/env.ts';
import { judgeSmtpError, MailFault, type SmtpProgress } from '#server/ground/mail/mail-fault.ts';
import { requiresTls } from '#server/ground/mail/requires-tls.ts';

/** How long a mail server may take for a mail, in milliseconds, and for each megabyte of files that it carries besides. */
const SMTP_TIMEOUT_MS = 10_000;
const SMTP_TIMEOUT_MS_PER_MB = 1_000;

/** A file that goes with a mail; its bytes are read when it is sent. */
export type MailFile = { name: string; contentType: string; sizeBytes: number; content: Readable };

/** The key that signs a mail (DKIM, RFC 6376): `privateKey` is PEM. */
export type MailSignature = { domain: string; selector: string; privateKey: string };

/** A mail to send. Addresses are passed as objects, so that no name can smuggle in another address. */
export type Mail = {
  from: { name: string; address: string };
  to: { name: string; address: string };
  /** Addresses alone. Those in `bcc` are in no header. */
  cc?: string[];
  bcc?: string[];
  subject: string;
  text: string;
  /** The same for programs that show HTML. */
  html?: string;
  files?: MailFile[];
  messageId: string;
  /** Message-IDs of the mails before it in its thread, oldest first. */
  references: string[];
  /** Written by a machine, not by a person: programs that answer mail leave it alone (RFC 3834). */
  isAutomatic?: boolean;
  /** Where answers go, and where reports that it did not arrive go; both else to `from`. */
  replyTo?: { name: string; address: string };
  bouncesTo?: string;
  /** The address that a mail program posts to when its reader wants no more of these (RFC 8058). */
  unsubscribeUrl?: string;
  signature?: MailSignature | null;
};

/** Whether sending failed for want of an answer in time: then no one knows whether the mail was taken. */
export function isMailTimeout(error: unknown): boolean {
  return error instanceof MailFault && error.isTimeout;
}

/**
 * Sends a mail over SMTP when `SMTP_URL` is set; else saves it as an `.eml` file in `MAIL_DIR`, where a developer
 * finds it and no other user of the machine reads it.
 * @returns who of its recipients the mail server refused while it took the mail for others
 * @throws MailFault when the mail server refuses it or does not answer in time
 */
export async function sendMail(mail: Mail): Promise<{ refused: string[] }> {
  const { SMTP_URL } = settings();
  if (SMTP_URL) return sendOverSmtp(SMTP_URL, composeMail(mail), timeoutOf(mail.files));
  await saveAsFile(composeMail(mail));
  return { refused: [] };
}

function timeoutOf(files: MailFile[] = []): number {
  const megabytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) / 1_000_000;
  return SMTP_TIMEOUT_MS + Math.ceil(megabytes) * SMTP_TIMEOUT_MS_PER_MB;
}

function composeMail(mail: Mail): SendMailOptions {
  const {
    from,
    to,
    cc = [],
    bcc = [],
    subject,
    text,
    html,
    messageId,
    replyTo,
    references,
    signature,
  } = mail;
  const answered = references.at(-1);
  return {
    from,
    to,
    ...(cc.length > 0 ? { cc: cc.map(asAddress) } : {}),
    ...(bcc.length > 0 ? { bcc: bcc.map(asAddress) } : {}),
    subject,
    text,
    ...(html === undefined ? {} : { html }),
    messageId,
    ...(replyTo ? { replyTo } : {}),
    ...(answered ? { references, inReplyTo: answered } : {}),
    envelope: { from: mail.bouncesTo ?? from.address, to: [to.address, ...cc, ...bcc] },
    headers: headersOf(mail),
    attachments: (mail.files ?? []).map(({ name, contentType, content }) => ({
      filename: name,
      contentType,
      content,
      contentDisposition: 'attachment' as const,
    })),
    ...(signature
      ? {
          dkim: {
            domainName: signature.domain,
            keySelector: signature.selector,
            privateKey: signature.privateKey,
          },
        }
      : {}),
  };
}

function headersOf({ isAutomatic, unsubscribeUrl }: Mail): Record<string, string> {
  return {
    ...(isAutomatic ? { 'Auto-Submitted': 'auto-generated' } : {}),
    ...(unsubscribeUrl
      ? { 'List-Unsubscribe': `<${unsubscribeUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
      : {}),
  };
}

function asAddress(address: string) {
  return { name: '', address };
}

/**
 * Breaks the connection off when the time is up: what is reported as failed must not leave later, when a slow server
 * comes round. Nodemailer limits only single steps, and closing its transport leaves a connection in use open.
 */
async function sendOverSmtp(
  url: string,
  mail: SendMailOptions,
  timeoutMs: number,
): Promise<{ refused: string[] }> {
  const breakOff = new AbortController();
  const outOfTime = Promise.withResolvers<never>();
  const progress: SmtpProgress = { connected: false, handedOver: false };
  const timer = setTimeout(() => {
    const cause = new DOMException('The mail server took too long.', 'TimeoutError');
    // Whom no one has spoken to has taken nothing.
    outOfTime.reject(new MailFault(progress.connected ? 'unclear' : 'temporary', cause, { isTimeout: true }));
    breakOff.abort();
  }, timeoutMs);
  const smtp = new SMTPTransport({
    url,
    requireTLS: requiresTls(url),
    getSocket: connectUntil(breakOff.signal, progress),
    transactionLog: true,
    logger: noteHandOver(progress),
  });
  try {
    const sent = nodemailer.createTransport(smtp).sendMail(mail);
    const { rejected } = await Promise.race([sent, outOfTime.promise]);
    return { refused: rejected.map((each) => (typeof each === 'string' ? each : each.address)) };
  } catch (error) {
    throw error instanceof MailFault ? error : new MailFault(judgeSmtpError(error, progress), error);
  } finally {
    clearTimeout(timer);
  }
}

/** Notes from what nodemailer logs of its commands when it begins to hand the mail over; nothing is logged. */
function noteHandOver(progress: SmtpProgress): NonNullable<SMTPTransport.Options['logger']> {
  const nothing = () => {};
  const debug = (_entry: unknown, line: unknown) => {
    if (line === 'DATA') progress.handedOver = true;
  };
  return {
    level: nothing,
    trace: nothing,
    debug,
    info: nothing,
    warn: nothing,
    error: nothing,
    fatal: nothing,
  };
}

/** The ports of mail programs, where an address names none (RFC 8314). */
const SUBMISSION_PORT = 587;
const SUBMISSIONS_PORT = 465;

/** Connects for nodemailer, which sets up TLS itself; the signal destroys the connection in whatever state it is. */
function connectUntil(
  signal: AbortSignal,
  progress: SmtpProgress,
): NonNullable<SMTPTransport.Options['getSocket']> {
  return ({ host = 'localhost', port, secure }, callback) => {
    const defaultPort = secure ? SUBMISSIONS_PORT : SUBMISSION_PORT;
    const socket = connect({ host, port: Number(port ?? defaultPort), keepAlive: true, signal });
    // Nodemailer names what happens on its own sockets alike.
    const refuse = (error: Error) => callback(Object.assign(error, { code: 'ESOCKET' }), {});
    socket.once('error', refuse).once('connect', () => {
      progress.connected = true;
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
  // Written aside and renamed, so that a watcher of the folder never reads half a mail.
  const temporary = join(MAIL_DIR, `.${name}`);
  await writeFile(temporary, message, { mode: 0o600 });
  await rename(temporary, join(MAIL_DIR, `${name}.eml`));
}

/** Mail is for its reader alone: links to new passwords are in it. A folder that is there already stays as it is. */
async function makePrivate(folder: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    if (!isThere) throw error;
  });
}
