import PostalMime, { type Attachment, decodeWords, type Email } from 'postal-mime';
import { cutQuote, type MailLine } from '#server/inbox/mail-parser/cut-quote.ts';
import { joinFlowedLines } from '#server/inbox/mail-parser/decode-flowed.ts';
import { htmlLines } from '#server/inbox/mail-parser/html-lines.ts';
import { parseAuthor, toMailAddresses } from '#server/inbox/mail-parser/mail-addresses.ts';
import {
  detectAutomatic,
  foldHeaderText,
  forbidsAutomaticAnswers,
  headerOf,
  isFromMailServer,
  parseDateHeader,
  parseMessageId,
  parseMessageIds,
} from '#server/inbox/mail-parser/mail-headers.ts';
import {
  FILES_MAX,
  HTML_MAX_LENGTH,
  REPLY_TO_MAX,
  TEXT_MAX_LENGTH,
} from '#server/inbox/mail-parser/mail-limits.ts';
import { parseBounce } from '#server/inbox/mail-parser/parse-bounce.ts';
import { parseFormEmail } from '#server/inbox/mail-parser/parse-form-email.ts';
import { parseForward } from '#server/inbox/mail-parser/parse-forward.ts';
import {
  parseGmailReaction,
  parseOutlookReaction,
  REACTION_TYPE,
} from '#server/inbox/mail-parser/parse-reaction.ts';
import { parseRewritten } from '#server/inbox/mail-parser/parse-rewritten.ts';
import type { MailFile, ParsedMail } from '#server/inbox/mail-parser/parsed-mail.ts';
import { isForwardSubject, isQuoted, isReplySubject } from '#server/inbox/mail-parser/quote-lines.ts';
import { sanitizeMail } from '#server/inbox/mail-parser/sanitize-mail.ts';
import { unpackTnef } from '#server/inbox/mail-parser/unpack-tnef.ts';

/** Limits for postal-mime: nesting depth of parts, and bytes of all headers. */
const PARTS_DEPTH_MAX = 100;
const HEADERS_MAX_BYTES = 1024 * 1024;

joinFlowedLines();

/**
 * Parses a mail (RFC 5322, MIME). Runs in a separate parser process, as hostile mail can take very long.
 * @param envelopeFrom envelope sender; empty for the null return path, undefined when unknown
 * @throws for a mail that is nested too deeply or has too many headers
 */
export async function parseMail(raw: Uint8Array, envelopeFrom: string | undefined): Promise<ParsedMail> {
  const email = await PostalMime.parse(raw, {
    maxNestingDepth: PARTS_DEPTH_MAX,
    maxHeadersSize: HEADERS_MAX_BYTES,
    // A mail that was forwarded as an attachment stays a file.
    forceRfc822Attachments: true,
  });
  const headers = email.headers.map(({ key, value }) => ({ key, value }));
  const { author: from, name: fromName } = parseAuthor(raw);
  const type = contentType(headers);
  const isSigned = type.startsWith('multipart/signed');
  const { files, reports, emoji } = sortAttachments(email.attachments, { isSigned });
  const html = email.html?.slice(0, HTML_MAX_LENGTH);
  const subject = foldHeaderText(email.subject ?? '') || null;
  const isBare = !email.text?.trim() && !html && files.length === 0;
  const sender = { headers, envelopeFrom, fromAddress: from?.address };
  const text = isBare ? bodyOf(raw) : email.text;
  const [inReplyTo, references] = [parseMessageIds(email.inReplyTo), parseMessageIds(email.references)];
  const isReply = inReplyTo.length > 0 || references.length > 0 || isReplySubject(subject);
  const isForward = isForwardSubject(subject);
  const shown = shownText({ text, html, isReply, isForward });
  return {
    messageId: parseMessageId(email.messageId),
    inReplyTo,
    references,
    from,
    to: toMailAddresses(email.to ?? []),
    cc: toMailAddresses(email.cc ?? []),
    // Without an address in From, its name is that of the person in Reply-To.
    replyTo: toMailAddresses(email.replyTo ?? [])
      .slice(0, REPLY_TO_MAX)
      .map((each) => ({ ...each, name: each.name || (from === null ? fromName : '') })),
    rewritten: parseRewritten(headers),
    subject,
    date: parseDateHeader(headers),
    text: shown.text,
    fullText: shown.fullText,
    forwarded: parseForward(shown.fullText ?? shown.text, { isForward }),
    formEmail: parseFormEmail(shown.fullText ?? shown.text),
    html: html ? sanitizeMail(html) : null,
    isEncrypted: type.startsWith('multipart/encrypted') || type.includes('smime-type=enveloped-data'),
    files: markInline(files.slice(0, FILES_MAX), html ?? ''),
    filesLeftOut: Math.max(0, files.length - FILES_MAX),
    automatic: detectAutomatic(sender),
    reaction: toReaction(emoji ?? parseOutlookReaction({ headers, from, text: shown.text })),
    forbidsAnswers: forbidsAutomaticAnswers(headers),
    bounce: parseBounce({
      headers,
      subject,
      fromAddress: from?.address,
      notice: isFromMailServer(sender) ? completeText(text, html) : null,
      reports,
      attachedMails: files.flatMap(({ contentType, content }) =>
        contentType === 'message/rfc822' ? Buffer.from(content.subarray(0, TEXT_MAX_LENGTH)).toString() : [],
      ),
    }),
    isFromMailServer: isFromMailServer(sender),
  };
}

function contentType(headers: Parameters<typeof headerOf>[0]): string {
  return (headerOf(headers, 'content-type') ?? '').slice(0, 500).replaceAll('"', '').trim().toLowerCase();
}

/** Extracts the new text from the HTML if it marks quotes or there is no plain text; else from the plain text. */
function shownText({
  isReply,
  isForward,
  ...mail
}: Pick<Email, 'text' | 'html'> & { isReply: boolean; isForward: boolean }) {
  const plain = bounded(mail.text ?? '');
  const fromHtml = mail.html ? htmlLines(bounded(mail.html, HTML_MAX_LENGTH)) : [];
  const saysQuote = fromHtml.some((line) => line.inQuote || isQuoted(line.text));
  const isHtml = plain.trim() === '' || saysQuote || isStub(plain, fromHtml);
  return cutQuote(isHtml ? fromHtml : linesOf(plain), { isForward, isReply });
}

const STUB_MAX_LENGTH = 500;

/** Returns whether the plain text only says that the mail is in HTML ("This message needs an HTML viewer"). */
function isStub(plain: string, fromHtml: MailLine[]): boolean {
  const stub = plain.trim();
  if (stub.length > STUB_MAX_LENGTH || !/html/i.test(stub)) return false;
  const html = fromHtml.map(({ text }) => text).join(' ');
  return html.trim() !== '' && !html.includes(stub.split('\n', 1)[0]?.trim() ?? '');
}

/** Returns the text with quotes, from the HTML if there is no plain text. */
function completeText(text: Email['text'], html: Email['html']): string {
  const plain = bounded(text ?? '');
  if (plain.trim() !== '' || !html) return plain;
  return htmlLines(bounded(html, HTML_MAX_LENGTH))
    .map((line) => line.text)
    .join('\n');
}

/** Returns the raw text below the headers, for a mail whose parts cannot be separated. */
function bodyOf(raw: Uint8Array): string {
  const text = Buffer.from(raw.buffer, raw.byteOffset, Math.min(raw.byteLength, TEXT_MAX_LENGTH)).toString();
  const end = text.search(/\r?\n\r?\n/);
  return end === -1 ? '' : text.slice(end).trim();
}

function linesOf(text: string): MailLine[] {
  return text.split('\n').map((line) => ({
    text: line.endsWith('\r') ? line.slice(0, -1) : line,
    inQuote: false,
    inBlockquote: false,
  }));
}

function bounded(text: string, max = TEXT_MAX_LENGTH): string {
  return text.slice(0, max);
}

/** Decodes encoded words in a header (RFC 2047), and folds it to one line. */
export function parseWords(header: string): string {
  return foldHeaderText(decodeWords(header.slice(0, 2_000)));
}

/** Detached signatures (RFC 8551 §3.5.3, RFC 3156 §5), which mail programs check and do not show. */
const SIGNATURE_KINDS = new Set([
  'application/pkcs7-signature',
  'application/x-pkcs7-signature',
  'application/pgp-signature',
]);
const REPORT_KINDS = new Set(['message/delivery-status', 'message/global-delivery-status']);

function toReaction(emoji: string | null | undefined): ParsedMail['reaction'] {
  return emoji === undefined ? null : { emoji };
}

function sortAttachments(
  attachments: Attachment[],
  { isSigned }: { isSigned: boolean },
): {
  files: MailFile[];
  reports: string[];
  emoji: string | undefined;
} {
  const reports: string[] = [];
  let emoji: string | undefined;
  const files: MailFile[] = [];
  for (const attachment of attachments) {
    const content = bytesOf(attachment);
    const reaction = reactionOf(attachment, content);
    if (reaction !== undefined) emoji ??= reaction;
    else if (isSigned && SIGNATURE_KINDS.has(attachment.mimeType)) continue;
    else if (REPORT_KINDS.has(attachment.mimeType)) {
      reports.push(Buffer.from(content).toString('utf8'));
    } else if (
      attachment.mimeType === 'application/ms-tnef' ||
      attachment.filename?.toLowerCase() === 'winmail.dat'
    ) {
      const unpacked = unpackTnef(content);
      files.push(...(unpacked.length > 0 ? unpacked : [fileOf(attachment, content)]));
    } else {
      files.push(fileOf(attachment, content));
    }
  }
  return { files, reports, emoji };
}

function reactionOf({ mimeType, disposition }: Attachment, content: Uint8Array): string | undefined {
  const isReaction = mimeType === REACTION_TYPE && disposition !== 'attachment';
  return isReaction ? parseGmailReaction(Buffer.from(content).toString()) : undefined;
}

function fileOf({ filename, mimeType, contentId }: Attachment, content: Uint8Array): MailFile {
  const name = filename?.slice(0, 1_000) || NAMES[mimeType] || 'file';
  const id = contentId?.trim().replace(/^</, '').replace(/>$/, '').slice(0, 500);
  return { name, contentType: mimeType.slice(0, 100), contentId: id || null, isInline: false, content };
}

const NAMES: Record<string, string> = {
  'text/calendar': 'invitation.ics',
  'message/rfc822': 'message.eml',
  'text/rfc822-headers': 'headers.txt',
};

function bytesOf({ content }: Attachment): Uint8Array {
  if (typeof content === 'string') return Buffer.from(content);
  return content instanceof Uint8Array ? content : new Uint8Array(content);
}

/** Marks pictures that the HTML embeds by Content-ID (RFC 2392) as inline. */
function markInline(files: MailFile[], html: string): MailFile[] {
  const shown = html.toLowerCase();
  return files.map((file) => {
    const { contentId, contentType } = file;
    const isShown = contentId !== null && shown.includes(`cid:${contentId.toLowerCase()}`);
    return { ...file, isInline: isShown && contentType.startsWith('image/') };
  });
}
