import { isBlank, isHeaderBlock } from '#server/inbox/mail-parser/quote-lines.ts';

/** Classes and ids that mail programs give to quotes. */
const QUOTE_CLASSES = new Set([
  'gmail_quote',
  'gmail_quote_container',
  'gmail_extra',
  'yahoo_quoted',
  'yahoo-quoted',
  'protonmail_quote',
  'moz-cite-prefix',
  'moz-forward-container',
  'zmail_extra',
  'tutanota_quote',
  'front-blockquote',
  'rc-quote',
  'reply-intro',
]);
const QUOTE_IDS = new Set([
  'divrplyfwdmsg',
  'appendonsend',
  'mail-editor-reference-message-container',
  'x_divrplyfwdmsg',
  'yahoo_quoted',
  'replyintro',
  'reply-intro',
  'ms-outlook-mobile-body-separator-line',
  'zwchr',
]);
/** Ids of elements after which the rest of the mail is the quote, although the quote is not nested in them. */
const QUOTE_START_IDS = new Set([
  'zwchr',
  'divrplyfwdmsg',
  'appendonsend',
  'x_divrplyfwdmsg',
  'ms-outlook-mobile-body-separator-line',
]);

/** Maximum number of lines with text in an attribution: a header block may have all of its rows. */
const ATTRIBUTION_LINES = 10;
/** The same without a header block. */
const WROTE_LINES = 4;

/**
 * An element, or the rest of a mail, that a mail program marks as quote. Where its quotes are in `blockquote` elements right
 * below an attribution, only these are quote: what stands beside them is an answer.
 */
export type QuotePart = {
  start: number;
  /** Index of the first line in a `blockquote`; null without one. */
  firstQuote: number | null;
  hasAttribution: boolean;
};

export type HtmlLine = {
  text: string;
  part: QuotePart | null;
  /** In a `blockquote` of such an element. */
  isQuoted: boolean;
  /** Has a prefix, from a citing `blockquote`. */
  isCited: boolean;
  inBlockquote: boolean;
};

/** Returns whether a mail program marks the element as quote, with the text above or beside quotes in it. */
export function isQuotePart(name: string, { id = '', class: classes = '' }: Record<string, string>): boolean {
  return name !== 'blockquote' && (QUOTE_IDS.has(id.toLowerCase()) || hasQuoteClass(classes));
}

/** Returns whether the element starts the quote that is the rest of the mail. */
export function startsQuote({ id = '' }: Record<string, string>): boolean {
  return QUOTE_START_IDS.has(id.toLowerCase());
}

export function hasQuoteClass(classes: string): boolean {
  return classes
    .slice(0, 500)
    .toLowerCase()
    .split(' ')
    .some((name) => QUOTE_CLASSES.has(name));
}

/** Sets whether the text above the first `blockquote` of a part is its attribution. */
export function endPart(part: QuotePart, lines: readonly HtmlLine[]): void {
  if (part.firstQuote === null) return;
  const above = lines.slice(part.start, part.firstQuote).flatMap(({ text }) => (isBlank(text) ? [] : text));
  part.hasAttribution =
    above.length === 0 ||
    (above.length <= WROTE_LINES && /[:：]\*?$/.test(above.at(-1) ?? '')) ||
    (above.length <= ATTRIBUTION_LINES && isHeaderBlock(above, 0));
}

/** Returns whether a line is quote, and not an answer beside the quotes of its part. */
export function isInQuote({ part, isQuoted }: HtmlLine, at: number): boolean {
  if (isQuoted || part === null) return isQuoted;
  return !part.hasAttribution || at < (part.firstQuote ?? 0);
}

/** Returns the parts with answers beside their quotes. */
export function answeredParts(lines: readonly HtmlLine[]): Set<QuotePart> {
  return new Set(
    lines.flatMap((line, at) =>
      line.part !== null && !isInQuote(line, at) && !isBlank(line.text) ? line.part : [],
    ),
  );
}
