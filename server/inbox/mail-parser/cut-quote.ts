import EmailReplyParser from 'email-reply-parser';
import {
  announcesAnswers,
  attributionAt,
  isBlank,
  isBroken,
  isForwardMark,
  isHeaderBlock,
  isOriginalMark,
  isPiped,
  isQuoted,
  isRule,
  isSenderWithoutAddress,
} from '#server/inbox/mail-parser/quote-lines.ts';

/**
 * A line of a mail. `inQuote` is true when the HTML marks the line as part of a quote, `inBlockquote` when it is in a
 * `blockquote`, which people use for other texts too.
 */
export type MailLine = { text: string; inQuote: boolean; inBlockquote: boolean };

/** Maximum length for the regular expressions of the library, in UTF-16 units. Some of them are not linear. */
const LIBRARY_MAX_LENGTH = 4_000;
/** Maximum number of lines in a signature. */
const SIGNATURE_LINES_MAX = 12;

/**
 * Cuts the quote at the end of a mail and the signature below `-- ` (RFC 3676 §4.3). A quote with an answer below
 * stays, as the answer refers to the quote. A forwarded mail stays, as no teammate has seen it. When nothing would be
 * left, the text stays complete. So does a mail that answers nothing: what it quotes, nobody here has seen.
 * @param isForward whether the subject marks a forwarded mail
 * @returns the new text, and the complete text when that is longer
 */
export function cutQuote(
  lines: readonly MailLine[],
  { isForward, isReply }: { isForward: boolean; isReply: boolean },
): { text: string; fullText: string | null } {
  const texts = lines.map(({ text }) => text.replaceAll('\u00a0', ' ').trimEnd());
  const complete = joined(texts);
  const quote = isForward || !isReply ? undefined : findQuote(texts, lines);
  // A forwarded mail looks like a quote.
  if (quote === undefined) return { text: complete, fullText: null };
  const end = withoutSignature(texts, quote);
  const own = withoutLibraryQuote(joined(texts.slice(0, end)), end < texts.length);
  const isUnmarked = !texts.slice(quote).some(isQuoted);
  return own === '' || own === complete || (isUnmarked && quote < texts.length && announcesAnswers(own))
    ? { text: complete, fullText: null }
    : { text: own, fullText: complete };
}

/**
 * Returns the index of the first line of the final quote. Returns the number of lines when there is no quote, and
 * undefined when a forwarded mail comes first.
 */
function findQuote(texts: readonly string[], lines: readonly MailLine[]): number | undefined {
  const isAlone = texts.filter(isQuoted).length === 1;
  let at = 0;
  while (at < texts.length) {
    const text = texts[at] ?? '';
    if (isForwardMark(text)) return undefined;
    const rule = isRule(text) ? nextNotBlank(texts, at + 1) : at;
    const after = lines[at]?.inQuote ? afterQuote(texts, lines, at) : at;
    // The HTML tells answers between the quotes below a header block from the quotes.
    const hasAnswers = texts.slice(at, after).some(isQuoted);
    if (!hasAnswers && (isOriginalMark(text) || isHeaderBlock(texts, rule))) return at;
    if (lines[at]?.inQuote) {
      const first = nextNotBlank(texts, at);
      if (isForwardMark(texts[first] ?? '')) return undefined;
      if (isOnlySignature(texts, after)) return at;
      at = after;
      continue;
    }
    const quote = quoteAt(texts, lines, { at, isAlone });
    if (quote && isOnlySignature(texts, quote.end)) return at;
    at = quote?.end ?? at + 1;
  }
  return texts.length;
}

/**
 * Returns the end of a quote that starts at a line with an attribution ("On … wrote:") or a quote prefix.
 * @param isAlone only one line has a quote prefix: without an attribution, people also write "> 5 pieces"
 */
function quoteAt(
  texts: readonly string[],
  lines: readonly MailLine[],
  { at, isAlone }: { at: number; isAlone: boolean },
): { end: number } | undefined {
  const { lines: count, isSure } = attributionAt(texts, at);
  if (count > 0) {
    const next = nextNotBlank(texts, at + count);
    const text = texts[next] ?? '';
    if (isQuoted(text) || isPiped(text) || lines[next]?.inQuote || lines[next]?.inBlockquote) {
      return { end: afterQuote(texts, lines, next, isPiped(text) ? isPiped : isQuoted) };
    }
    if (isSure) return { end: texts.length };
  }
  return isQuoted(texts[at] ?? '') && !isAlone ? { end: afterQuote(texts, lines, at) } : undefined;
}

/** Returns the index of the first line from `at` on that is neither quoted nor blank. */
function afterQuote(
  texts: readonly string[],
  lines: readonly MailLine[],
  at: number,
  hasPrefix: (line: string) => boolean = isQuoted,
): number {
  const inBlockquote = lines[at]?.inBlockquote;
  const isQuote = (index: number) => {
    const [text, line] = [texts[index] ?? '', lines[index]];
    if (hasPrefix(text) || isBlank(text) || line?.inQuote || (inBlockquote && line?.inBlockquote))
      return true;
    return hasPrefix(texts[index + 1] ?? '') && isBroken(text, texts[index - 1] ?? '');
  };
  let end = at;
  while (end < texts.length && isQuote(end)) end += 1;
  return end;
}

/** Returns true when nothing or only a signature follows. */
function isOnlySignature(texts: readonly string[], at: number): boolean {
  const next = nextNotBlank(texts, at);
  return (
    next === texts.length ||
    (isSignatureDelimiter(texts[next] ?? '') && texts.length - next <= SIGNATURE_LINES_MAX)
  );
}

function withoutSignature(texts: readonly string[], end: number): number {
  for (let at = end - 1; at > 0 && at >= end - SIGNATURE_LINES_MAX - 1; at -= 1) {
    // "Please send it to:" announces the text below the dashes.
    if (isSignatureDelimiter(texts[at] ?? '') && !/[:：]$/.test(texts[at - 1] ?? '')) return at;
  }
  return end;
}

/** Returns true for `-- ` and for `--`, as many mails lose the trailing space. */
function isSignatureDelimiter(text: string): boolean {
  return text.trimEnd() === '--';
}

function nextNotBlank(texts: readonly string[], at: number): number {
  let next = at;
  while (next < texts.length && isBlank(texts[next] ?? '')) next += 1;
  return next;
}

/** Cuts final quotes that only the library recognizes, in languages that `quote-words.ts` does not cover. */
function withoutLibraryQuote(text: string, isTrimmed: boolean): string {
  if (isTrimmed || text.length > LIBRARY_MAX_LENGTH) return text;
  const fragments = new EmailReplyParser().read(text).getFragments();
  const last = fragments.findLastIndex((fragment) => !fragment.isQuoted() && !fragment.isEmpty());
  const quote = fragments.slice(last + 1).find((fragment) => fragment.isQuoted());
  const [firstLine = ''] = quote?.getContent().trim().split('\n') ?? [];
  if (isSenderWithoutAddress(firstLine) || isQuoted(firstLine)) return text;
  const at = firstLine === '' ? -1 : text.lastIndexOf(`\n${firstLine}`);
  return at === -1 ? text : text.slice(0, at).trimEnd();
}

function joined(texts: readonly string[]): string {
  let [start, end] = [0, texts.length];
  while (start < end && isBlank(texts[start] ?? '')) start += 1;
  while (end > start && isBlank(texts[end - 1] ?? '')) end -= 1;
  return texts.slice(start, end).join('\n');
}
