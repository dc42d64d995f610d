import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import nodemailer, { type SendMailOptions } from 'nodemailer';
import { settings } from '#server/core/env.ts';
import { MailFault } from '#server/core/mail/mail-fault.ts';
import { sendOverSmtp } from '#server/core/mail/send-over-smtp.ts';

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
  /** For mail that no person wrote: a reply to a person's mail, or of its own accord. Other programs do not answer it (RFC 3834 §5). */
  autoSubmitted?: 'auto-generated' | 'auto-replied';
  /** Where answers go, and where reports that it did not arrive go; both else to `from`. */
  replyTo?: { name: string; address: string };
  bouncesTo?: string;
  /** The address that a mail program posts to when its reader wants no more of these (RFC 8058). */
  unsubscribeUrl?: string;
  signature?: MailSignature | null;
};

/** Returns whether a mail may have been sent although sending it failed. */
export function mayHaveBeenSent(error: unknown): boolean {
  return error instanceof MailFault && error.kind === 'unclear';
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
  // Written under another name and renamed, so that a watcher of the folder never reads half a mail.
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
