import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import nodemailer, { type SendMailOptions } from 'nodemailer';
import { divertMessage } from '#server/core/divert-message.ts';
import { settings } from '#server/core/env.ts';
import { MailFault } from '#server/core/mail/mail-fault.ts';
import { sendOverSmtp } from '#server/core/mail/send-over-smtp.ts';
import { codeOf } from '#server/core/user-error.ts';

/** Timeout of sending a mail, in ms, and the extra time for each megabyte of attachments. */
const SMTP_TIMEOUT_MS = 10_000;
const SMTP_TIMEOUT_MS_PER_MB = 1_000;

/** An attachment, or a picture that the HTML shows by its Content-ID (RFC 2392). Its content is read when the mail is sent. */
export type MailFile = {
  name: string;
  contentType: string;
  sizeBytes: number;
  contentId: string | null;
  content: Readable;
};

/** DKIM key of a mail (RFC 6376). `privateKey` is PEM. */
export type MailSignature = { domain: string; selector: string; privateKey: string };

export type MailRecipient = { name: string; address: string };

/** A mail to send. Addresses are objects, so that a name cannot inject another address. */
export type Mail = {
  /** The workspace that the mail is about, which may be a test workspace. Null for mail about an account. */
  workspaceId: string | null;
  from: { name: string; address: string };
  to: MailRecipient | MailRecipient[];
  /** Addresses without names. `bcc` is in no header. */
  cc?: string[];
  bcc?: string[];
  /** The recipients who get the mail, if it is not all of them. */
  onlyTo?: string[] | undefined;
  subject: string;
  text: string;
  /** HTML version of `text`. */
  html?: string;
  files?: MailFile[];
  messageId: string;
  /** Message-IDs of the earlier mails of the thread, oldest first. */
  references: string[];
  /** For mail that no person wrote. Other programs do not reply to it (RFC 3834 §5). */
  autoSubmitted?: 'auto-generated' | 'auto-replied';
  /** Addresses for replies and for bounces. Default: `from`. */
  replyTo?: { name: string; address: string };
  bouncesTo?: string;
  /** One-click unsubscribe address (RFC 8058). */
  unsubscribeUrl?: string;
  signature?: MailSignature | null;
};

/** Returns whether a mail may have been sent in spite of the error. */
export function mayHaveBeenSent(error: unknown): boolean {
  return error instanceof MailFault && error.kind === 'unclear';
}

/** Returns whether a mail was not sent, and may be accepted later. */
export function isTemporary(error: unknown): boolean {
  return error instanceof MailFault && error.kind === 'temporary';
}

/**
 * Sends a mail over SMTP, or stores it in the outbox of a test workspace. Without `SMTP_URL` it saves an `.eml` file in `MAIL_DIR`, readable only by this user of the machine.
 * @returns the recipients that the mail server refused while it accepted others
 * @throws MailFault when the mail server refuses the mail or does not respond in time, and a temporary one when the database stays unreachable
 */
export async function sendMail(mail: Mail): Promise<{ refused: string[] }> {
  if (await isDiverted(mail)) return { refused: [] };
  const { SMTP_URL } = settings();
  if (SMTP_URL) return sendOverSmtp(SMTP_URL, composeMail(mail), timeoutOf(mail.files));
  await saveAsFile(composeMail(mail));
  return { refused: [] };
}

async function isDiverted({ workspaceId, from, to, cc, bcc, subject, text, files }: Mail): Promise<boolean> {
  if (workspaceId === null) return false;
  return divertMessage({
    workspaceId,
    channel: 'email',
    sender: readable(from),
    recipients: [to].flat().map(readable),
    ...(cc ? { cc } : {}),
    ...(bcc ? { bcc } : {}),
    subject,
    content: text,
    ...(files ? { fileNames: files.map(({ name }) => name) } : {}),
  }).catch((error: unknown) => {
    // Nothing was sent yet.
    throw new MailFault('temporary', error);
  });
}

function readable({ name, address }: MailRecipient): string {
  return name === '' ? address : `${name} <${address}>`;
}

function timeoutOf(files: MailFile[] = []): number {
  const megabytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) / 1_000_000;
  return SMTP_TIMEOUT_MS + Math.ceil(megabytes) * SMTP_TIMEOUT_MS_PER_MB;
}

function composeMail(mail: Mail): SendMailOptions {
  const { from, to, cc = [], bcc = [], subject, text, html, messageId, replyTo, references } = mail;
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
    envelope: {
      from: mail.bouncesTo ?? from.address,
      to: mail.onlyTo ?? [...[to].flat().map(({ address }) => address), ...cc, ...bcc],
    },
    headers: headersOf(mail),
    attachments: (mail.files ?? []).map(({ name, contentType, contentId, content }) => ({
      filename: name,
      contentType,
      content,
      ...(contentId === null
        ? { contentDisposition: 'attachment' as const }
        : { contentDisposition: 'inline' as const, cid: contentId }),
    })),
    ...(mail.signature ? { dkim: dkimOf(mail.signature) } : {}),
  };
}

function dkimOf({ domain, selector, privateKey }: MailSignature) {
  return { domainName: domain, keySelector: selector, privateKey };
}

function headersOf({ autoSubmitted, unsubscribeUrl }: Mail): Record<string, string> {
  return {
    ...(autoSubmitted ? { 'Auto-Submitted': autoSubmitted } : {}),
    ...(unsubscribeUrl
      ? { 'List-Unsubscribe': `<${unsubscribeUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
      : {}),
  };
}

function asAddress(address: string) {
  return { name: '', address };
}

async function saveAsFile(mail: SendMailOptions): Promise<void> {
  const { MAIL_DIR } = settings();
  const transport = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  const { message } = await transport.sendMail(mail);
  const name = `${new Date().toISOString().replaceAll(':', '-')}-${randomUUID()}`;
  await makePrivate(MAIL_DIR);
  // Rename at the end, so that a watcher of the folder never reads a partial mail.
  const temporary = join(MAIL_DIR, `.${name}`);
  await writeFile(temporary, message, { mode: 0o600 });
  await rename(temporary, join(MAIL_DIR, `${name}.eml`));
}

/** Creates a private folder, because mails contain password reset links. An existing folder is left unchanged. */
async function makePrivate(folder: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error;
  });
}
