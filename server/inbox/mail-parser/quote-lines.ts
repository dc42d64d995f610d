import {
  ANSWERS_BELOW,
  FORWARD_PREFIXES,
  FORWARDED_MESSAGE,
  HEADER_LABELS,
  ORIGINAL_MESSAGE,
  REPLY_PREFIXES,
  WROTE,
  WROTE_PREFIXES,
  WROTE_WITHIN,
} from '#server/inbox/mail-parser/quote-words.ts';

/** Maximum length of a line above a quote, in UTF-16 units. Longer lines are not checked. */
const LINE_MAX_LENGTH = 400;
/** Maximum number of lines that a mail program breaks an attribution into. */
const BROKEN_LINES_MAX = 4;
/** Maximum length of a text that may announce answers, in UTF-16 units. */
const ANNOUNCEMENT_MAX_LENGTH = 1_000;
/** Maximum number of lines that contain the labels of a header block. */
const HEADER_LINES = 8;

/** Returns true for a line with a quote prefix, for example `> text`. */
export function isQuoted(line: string): boolean {
  return /^\s{0,3}>/.test(line);
}

/** Returns true for a line with `|` as quote prefix. Rows of tables look like this too. */
export function isPiped(line: string): boolean {
  return /^\s{0,3}\|/.test(line);
}

/** Returns true when a line is the rest of the quoted line above: a mail program broke a long address there. */
export function isBroken(line: string, above: string): boolean {
  const address = above.slice(above.lastIndexOf(' ') + 1);
  return above.length >= 70 && address.includes('://') && /^\S{10,}$/.test(line.trim());
}

export function isBlank(line: string): boolean {
  return line.trim() === '';
}

/** Returns true when a subject has a forward prefix. */
export function isForwardSubject(subject: string | null): boolean {
  return FORWARD_PREFIXES.has(prefixOf(subject));
}

/** Returns true when a subject has a reply prefix, for example `Re:` or `AW[2]:`. */
export function isReplySubject(subject: string | null): boolean {
  return REPLY_PREFIXES.has(prefixOf(subject));
}

function prefixOf(subject: string | null): string {
  const text = (subject ?? '').slice(0, 100).trim().toLowerCase();
  const colon = text.search(/[:：]/);
  const prefix = text.slice(0, Math.max(colon, 0)).replace(/[[(^]?\d{0,3}[\])]?\.?$/, '');
  return prefix.trim();
}

/** Returns true when a text says that answers stand in the quote below it. */
export function announcesAnswers(text: string): boolean {
  const lower = text.slice(0, ANNOUNCEMENT_MAX_LENGTH).toLowerCase();
  return [...ANSWERS_BELOW].some((sentence) => lower.includes(sentence));
}

/** Returns true for a line that introduces a forwarded mail. */
export function isForwardMark(line: string): boolean {
  return FORWARDED_MESSAGE.has(withoutDashes(line));
}

/** Returns true for a line that introduces the original mail, for example `-----Original Message-----`. */
export function isOriginalMark(line: string): boolean {
  return /^\s{0,3}(?:>\s?)?[-_]{2}/.test(line) && ORIGINAL_MESSAGE.has(withoutDashes(line));
}

/** Returns true for a horizontal rule, which Outlook draws above a quoted mail. */
export function isRule(line: string): boolean {
  const text = line.trim();
  return text.length >= 10 && text.length <= 200 && /^(?:_+|-+|—+|─+)$/.test(text);
}

/**
 * Returns true when the header block of a quoted mail starts at a line. The block starts with a sender or a date, and
 * within `HEADER_LINES` lines contains a sender and two of date, recipient and subject. People write such lists too
 * ("From: Berlin", "To: Paris"), so a block also needs an email address, or both a date and a subject.
 */
export function isHeaderBlock(lines: readonly string[], at: number): boolean {
  const { from, sent, to, subject } = HEADER_LABELS;
  const first = labelOf(lines[at] ?? '');
  if (!from.has(first) && !sent.has(first)) return false;
  const block = lines.slice(at, at + HEADER_LINES).map((line) => ({ line, label: labelOf(line) }));
  const has = (words: ReadonlySet<string>) => block.some(({ label }) => words.has(label));
  if (!has(from) || [sent, to, subject].filter(has).length < 2) return false;
  const hasAddress = block.some(
    ({ line, label }) => (from.has(label) || to.has(label)) && line.slice(0, LINE_MAX_LENGTH).includes('@'),
  );
  return hasAddress || (has(sent) && has(subject));
}

/** Returns true for a sender label without an email address, for example "From: Berlin <main station>". */
export function isSenderWithoutAddress(line: string): boolean {
  return HEADER_LABELS.from.has(labelOf(line)) && !line.includes('@');
}

/**
 * Finds an attribution such as `On 3 May 2026 at 10:04, Ada wrote:` at a line.
 * An attribution in another language ends in a colon too, and has an address in brackets, or a date and a time.
 * @returns the number of its lines, 0 when there is none; `isSure` is true when people do not write such a line by hand
 */
export function attributionAt(lines: readonly string[], at: number): { lines: number; isSure: boolean } {
  const isBroken = startsAttribution((lines[at] ?? '').trim());
  let text = '';
  for (let count = 1; count <= BROKEN_LINES_MAX; count += 1) {
    const line = (lines[at + count - 1] ?? '').trim();
    text = count === 1 ? line : `${text} ${line}`;
    if (line === '' || text.length > LINE_MAX_LENGTH || (count > 1 && !isBroken)) break;
    if (!/[:：]\*?$/.test(text)) continue;
    if (hasWroteWord(text)) return { lines: count, isSure: /[@<]|\d[:.h]\s?\d\d|20\d\d/.test(text) };
    if (hasAddress(text) || hasDateAndTime(text)) return { lines: count, isSure: false };
  }
  return { lines: 0, isSure: false };
}

function hasAddress(text: string): boolean {
  const at = text.indexOf('@');
  return at !== -1 && /[<[(]/.test(text.slice(0, at)) && /[>\])]/.test(text.slice(at));
}

function hasDateAndTime(text: string): boolean {
  return /\d{1,2}[:.h]\d\d/.test(text) && /(?:19|20)\d\d|\d{1,2}[./-]\d{1,2}[./-]\d\d/.test(text);
}

function startsAttribution(text: string): boolean {
  const lower = text
    .slice(0, 40)
    .toLowerCase()
    .replace(/^[-*>\s]{0,10}/, '');
  return /^\d/.test(lower) || WROTE_PREFIXES.some((word) => lower.startsWith(word)) || /[<@]/.test(text);
}

function hasWroteWord(text: string): boolean {
  const lower = text.toLowerCase();
  const words = lower.split(/[^\p{L}]/u);
  return words.some((word) => WROTE.has(word)) || WROTE_WITHIN.some((word) => lower.includes(word));
}

/** Returns the text before the first colon, without bold markers; empty when there is no colon. */
export function labelOf(line: string): string {
  const text = line.slice(0, 60).replace(/^[\s>*|]{0,10}/, '');
  const colon = text.search(/[:：]/);
  return colon === -1 ? '' : text.slice(0, colon).replaceAll('*', '').trim().toLowerCase();
}

function withoutDashes(line: string): string {
  if (line.length > LINE_MAX_LENGTH) return '';
  return line
    .replace(/^[\s>*|]{0,10}/, '')
    .replaceAll(/[-_*:：]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase()
    .replace('original nachricht', 'original-nachricht');
}
