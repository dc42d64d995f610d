import { log } from '#server/core/log.ts';
import { type AuthenticatedMail, UNAUTHENTICATED } from '#server/inbox/mail-parser/authenticated-mail.ts';
import { parseAddresses, parseAuthor, parseWords } from '#server/inbox/mail-parser/mail-addresses.ts';
import {
  detectAutomatic,
  forbidsAutomaticAnswers,
  headerOf,
  isFromMailServer,
  parseDateHeader,
  parseMailHeaders,
  parseMessageId,
  parseMessageIds,
} from '#server/inbox/mail-parser/mail-headers.ts';
import { HEADERS_MAX_BYTES, REPLY_TO_MAX } from '#server/inbox/mail-parser/mail-limits.ts';
import {
  MailProcessDied,
  type MailSource,
  type MailTask,
  type MailTaskOutcome,
  runMailTask,
} from '#server/inbox/mail-parser/mail-task.ts';
import { parseRewritten } from '#server/inbox/mail-parser/parse-rewritten.ts';
import type { ParsedMail } from '#server/inbox/mail-parser/parsed-mail.ts';
import { plainText } from '#server/inbox/mail-parser/plain-text.ts';

/** Number of parser crashes after which the mail counts as the cause. */
const DEATHS_MAX = 2;

/**
 * Authenticates and parses an untrusted mail. A mail that exceeds the limits of the parser falls back to its headers, a
 * notice, and the plain text at its start.
 * @param tries number of earlier attempts, in which the parser process may have crashed
 * @throws MailProcessDied on the first attempts, and errors of the source
 */
export async function readMail(
  task: MailTask,
  tries = 0,
): Promise<Omit<AuthenticatedMail, 'author'> & { mail: ParsedMail }> {
  const outcome = await runMailTask(task).catch((error: unknown): MailTaskOutcome => {
    if (!(error instanceof MailProcessDied) || tries < DEATHS_MAX) throw error;
    return { ...UNAUTHENTICATED, kind: 'unparsed', reason: error.message };
  });
  if (outcome.kind === 'unparsed')
    log().warn({ bytes: task.source.bytes, reason: outcome.reason }, 'mail.not_parsed');
  const mail =
    outcome.kind === 'parsed'
      ? outcome.mail
      : unreadableMail(await readHead(task.source), task.envelope.from);
  // The displayed author must be the authenticated author.
  const isAuthor = outcome.author !== null && outcome.author === mail.from?.address;
  const { authentication, checks, signedFields, isOpenDomain } = isAuthor ? outcome : UNAUTHENTICATED;
  return { authentication, checks, signedFields, isOpenDomain, mail };
}

/** Reads the first bytes of a mail, which include its headers. */
export async function readHead(source: Pick<MailSource, 'open'>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of await source.open()) {
    pieces.push(piece);
    bytes += piece.byteLength;
    if (bytes >= HEADERS_MAX_BYTES) break;
  }
  return Buffer.concat(pieces).subarray(0, HEADERS_MAX_BYTES);
}

/** Notice in the thread for a mail that could not be parsed. */
export const UNREADABLE_NOTE =
  '[This email could not be read in full: its format is invalid or unusual. Open the original to see the full text.]';

/** Builds the fallback for a mail from its first bytes: headers, a notice, and plain text. */
function unreadableMail(head: Uint8Array, envelopeFrom: string | undefined): ParsedMail {
  const headers = parseMailHeaders(head);
  const address = (key: string) => parseAddresses(headerOf(headers, key) ?? '');
  const from = parseAuthor(head).author;
  const sender = { headers, envelopeFrom, fromAddress: from?.address, fromName: from?.name };
  const text = plainText(head);
  return {
    messageId: parseMessageId(headerOf(headers, 'message-id')),
    inReplyTo: parseMessageIds(headerOf(headers, 'in-reply-to')),
    references: parseMessageIds(headerOf(headers, 'references')),
    from,
    to: address('to'),
    cc: address('cc'),
    replyTo: address('reply-to').slice(0, REPLY_TO_MAX),
    rewritten: parseRewritten(headers),
    subject: parseWords(headerOf(headers, 'subject') ?? '') || null,
    date: parseDateHeader(headers),
    text: text === '' ? UNREADABLE_NOTE : `${UNREADABLE_NOTE}\n\n${text}`,
    fullText: null,
    forwarded: [],
    formEmail: null,
    html: null,
    isEncrypted: false,
    invitation: null,
    files: [],
    filesLeftOut: 0,
    automatic: detectAutomatic(sender),
    reaction: null,
    forbidsAnswers: forbidsAutomaticAnswers(headers),
    isFromMailServer: isFromMailServer(sender),
    bounce: null,
  };
}
