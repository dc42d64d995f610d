import EmailReplyParser from 'email-reply-parser';
import {
  attributionAt,
  isBlank,
  isForwardMark,
  isHeaderBlock,
  isOriginalMark,
  isQuoted,
  isRule,
  isSenderWithoutAddress,
} from '#server/inbox/mail-parser/quote-lines.ts';

/** A line of a mail; `inQuote` when its HTML says that a mail program put it there as a quote. */
export type MailLine = { text: string; inQuote: boolean };

/** The expressions of the library look at no more, in UTF-16 units: some of them take longer than the text is. */
const LIBRARY_MAX_LENGTH = 4_000;
/** A signature has no more lines. */
const SIGNATURE_LINES_MAX = 12;

/**
 * Leaves out what a mail quotes at its end and the signature below `-- ` (RFC 3676 §4.3), so that what was newly written
 * is read first. A quote with an answer below it stays, as the answer refers to it, and so does a forwarded mail, which
 * no one here has seen. Never leaves nothing: then the whole stays.
 * @returns what was newly written, and the whole where that is more
 * @param isForward whether the subject says that it forwards
 */
export function cutQuote(
  lines: readonly MailLine[],
  { isForward }: { isForward: boolean },
): { text: string; fullText: string | null } {
  const texts = lines.map(({ text }) => text.replaceAll('\u00a0', ' ').trimEnd());
  const whole = joined(texts);
  const quote = isForward ? undefined : findQuote(texts, lines);
  // What is forwarded looks like a quote.
  if (quote === undefined) return { text: whole, fullText: null };
  const end = withoutSignature(texts, quote);
  const own = withoutLibraryQuote(joined(texts.slice(0, end)), end < texts.length);
  return own === '' || own === whole ? { text: whole, fullText: null } : { text: own, fullText: whole };
}

/**
 * The index of the first line of the quote that the mail ends with; the number of lines when there is none, undefined when
 * a forwarded mail comes first.
 */
function findQuote(texts: readonly string[], lines: readonly MailLine[]): number | undefined {
  let at = 0;
  while (at < texts.length) {
    const text = texts[at] ?? '';
    if (isForwardMark(text)) return undefined;
    const rule = isRule(text) ? nextNotBlank(texts, at + 1) : at;
    if (isOriginalMark(text) || isHeaderBlock(texts, rule)) return at;
    if (lines[at]?.inQuote) {
      const first = nextNotBlank(texts, at);
      if (isForwardMark(texts[first] ?? '')) return undefined;
      const after = afterQuote(texts, lines, at);
      if (isOnlySignature(texts, after)) return at;
      at = after;
      continue;
    }
    const quote = quoteAt(texts, lines, at);
    if (quote && isOnlySignature(texts, quote.end)) return at;
    at = quote?.end ?? at + 1;
  }
  return texts.length;
}

/** Where the quote ends that begins with this line, by the sentence above it or by its own marks. */
function quoteAt(
  texts: readonly string[],
  lines: readonly MailLine[],
  at: number,
): { end: number } | undefined {
  const { lines: taken, isSure } = attributionAt(texts, at);
  if (taken > 0) {
    const next = nextNotBlank(texts, at + taken);
    if (isQuoted(texts[next] ?? '') || lines[next]?.inQuote) return { end: afterQuote(texts, lines, next) };
    if (isSure) return { end: texts.length };
  }
  return isQuoted(texts[at] ?? '') ? { end: afterQuote(texts, lines, at) } : undefined;
}

/** The first line at or after this one that is neither quoted nor blank. */
function afterQuote(texts: readonly string[], lines: readonly MailLine[], at: number): number {
  let end = at;
  while (
    end < texts.length &&
    (isQuoted(texts[end] ?? '') || isBlank(texts[end] ?? '') || lines[end]?.inQuote)
  )
    end += 1;
  return end;
}

/** Whether nothing follows from here on, or nothing but a signature. */
function isOnlySignature(texts: readonly string[], at: number): boolean {
  const next = nextNotBlank(texts, at);
  return (
    next === texts.length ||
    (isSignatureMark(texts[next] ?? '') && texts.length - next <= SIGNATURE_LINES_MAX)
  );
}

function withoutSignature(texts: readonly string[], end: number): number {
  for (let at = end - 1; at > 0 && at >= end - SIGNATURE_LINES_MAX - 1; at -= 1) {
    if (isSignatureMark(texts[at] ?? '')) return at;
  }
  return end;
}

/** Its space at the end is lost in many mails. */
function isSignatureMark(text: string): boolean {
  return text.trimEnd() === '--';
}

function nextNotBlank(texts: readonly string[], at: number): number {
  let next = at;
  while (next < texts.length && isBlank(texts[next] ?? '')) next += 1;
  return next;
}

/** Leaves out the quotes that the library finds at the end, in languages that are not known here. */
function withoutLibraryQuote(text: string, isTrimmed: boolean): string {
  if (isTrimmed || text.length > LIBRARY_MAX_LENGTH) return text;
  const fragments = new EmailReplyParser().read(text).getFragments();
  const last = fragments.findLastIndex((fragment) => !fragment.isQuoted() && !fragment.isEmpty());
  const quote = fragments.slice(last + 1).find((fragment) => fragment.isQuoted());
  const [firstLine = ''] = quote?.getContent().trim().split('\n') ?? [];
  if (isSenderWithoutAddress(firstLine)) return text;
  const at = firstLine === '' ? -1 : text.lastIndexOf(`\n${firstLine}`);
  return at === -1 ? text : text.slice(0, at).trimEnd();
}

function joined(texts: readonly string[]): string {
  let [start, end] = [0, texts.length];
  while (start < end && isBlank(texts[start] ?? '')) start += 1;
  while (end > start && isBlank(texts[end - 1] ?? '')) end -= 1;
  return texts.slice(start, end).join('\n');
}
