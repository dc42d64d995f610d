import { collectParts, type MailContent } from '#server/inbox/mail-parser/collect-parts.ts';
import { cutQuote, type MailLine } from '#server/inbox/mail-parser/cut-quote.ts';
import { htmlLines } from '#server/inbox/mail-parser/html-lines.ts';
import { parseAuthor, toMailAddresses } from '#server/inbox/mail-parser/mail-addresses.ts';
import {
  detectAutomatic,
  foldHeaderText,
  forbidsAutomaticAnswers,
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
import { parseMime } from '#server/inbox/mail-parser/parse-mime.ts';
import { parseOutlookReaction } from '#server/inbox/mail-parser/parse-reaction.ts';
import { parseRewritten } from '#server/inbox/mail-parser/parse-rewritten.ts';
import type { CalendarInvitation, MailFile, ParsedMail } from '#server/inbox/mail-parser/parsed-mail.ts';
import { pictureKey } from '#server/inbox/mail-parser/picture-key.ts';
import { isForwardSubject, isQuoted, isReplySubject } from '#server/inbox/mail-parser/quote-lines.ts';
import { sanitizeMail } from '#server/inbox/mail-parser/sanitize-mail.ts';

/**
 * Parses a mail (RFC 5322, MIME). Runs in a separate parser process, as hostile mail can take very long.
 * @param envelopeFrom envelope sender; empty for the null return path, undefined when unknown
 * @throws for a mail that is nested too deeply or has too many headers
 */
export async function parseMail(raw: Uint8Array, envelopeFrom: string | undefined): Promise<ParsedMail> {
  const { email, root } = await parseMime(raw);
  const headers = email.headers.map(({ key, value }) => ({ key, value }));
  const { author: from, name: fromName } = parseAuthor(raw);
  const { text, html, files, reports, calendar, emoji, isEncrypted } = await collectParts(root);
  const subject = foldHeaderText(email.subject ?? '') || null;
  const sender = { headers, envelopeFrom, fromAddress: from?.address, fromName: from?.name };
  const [inReplyTo, references] = [parseMessageIds(email.inReplyTo), parseMessageIds(email.references)];
  const isReply = inReplyTo.length > 0 || references.length > 0 || isReplySubject(subject);
  const isForward = isForwardSubject(subject);
  const shown = shownText({ text, html, isReply, isForward });
  const safeHtml = html ? sanitizeMail(html) : null;
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
    html: safeHtml,
    isEncrypted,
    invitation: calendar === undefined ? null : await readInvitation(calendar),
    files: markInline(files.slice(0, FILES_MAX), safeHtml),
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
        /^message\/(?:rfc822|global)$/.test(contentType)
          ? Buffer.from(content.subarray(0, TEXT_MAX_LENGTH)).toString()
          : [],
      ),
    }),
    isFromMailServer: isFromMailServer(sender),
  };
}

/** Loads the calendar library for the few mails that need it. */
async function readInvitation(calendar: string): Promise<CalendarInvitation | null> {
  const { parseInvitation } = await import('#server/inbox/mail-parser/parse-invitation.ts');
  return parseInvitation(calendar);
}

/** Extracts the new text from the HTML if it marks quotes or there is no plain text; else from the plain text. */
function shownText({
  isReply,
  isForward,
  ...mail
}: Pick<MailContent, 'text' | 'html'> & { isReply: boolean; isForward: boolean }) {
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
function completeText(text: string | undefined, html: string | undefined): string {
  const plain = bounded(text ?? '');
  if (plain.trim() !== '' || !html) return plain;
  return htmlLines(bounded(html, HTML_MAX_LENGTH))
    .map((line) => line.text)
    .join('\n');
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

function toReaction(emoji: string | null | undefined): ParsedMail['reaction'] {
  return emoji === undefined ? null : { emoji };
}

/** Marks pictures that the HTML embeds by Content-ID (RFC 2392) as inline. */
function markInline(files: MailFile[], html: string | null): MailFile[] {
  const shown = new Set(
    [...(html ?? '').matchAll(/ src="cid:([^"]{1,1000})"/gi)].map(([, id = '']) => pictureKey(id)),
  );
  return files.map((file) => {
    const isShown = file.contentId !== null && shown.has(pictureKey(file.contentId));
    return { ...file, isInline: isShown && file.contentType.startsWith('image/') };
  });
}
