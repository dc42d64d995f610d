/** How much of what was typed is searched for. */
const TEXT_MAX_LENGTH = 200;
const WORDS_MAX = 8;
/** A last word this long may go on: shorter ones would begin half of all words. */
const PREFIX_MIN_LENGTH = 2;
/** Fewer digits than this are no phone number. */
const PHONE_MIN_DIGITS = 4;

/**
 * What was typed into a search box as the text of a `tsquery`: all words, the last one also as the beginning of a word,
 * as it may not be finished. Several groups of digits are one phone number too, however it is written. Null when there
 * is no word in it. Words hold letters, digits and their marks alone, so that nothing in them means anything to the query.
 */
export function searchWords(text: string): string | null {
  const typed = text.slice(0, TEXT_MAX_LENGTH).trim();
  const words = typed.split(/[^\p{L}\p{N}\p{M}]+/u).filter((word) => /[\p{L}\p{N}]/u.test(word));
  const last = words.at(-1);
  if (last === undefined) return null;
  const finished = isWholeAddress(typed) || /\s$/.test(text) || last.length < PREFIX_MIN_LENGTH;
  const quoted = words.slice(0, WORDS_MAX).map((word) => `'${word}'`);
  const all = `${quoted.join(' & ')}${finished || words.length > WORDS_MAX ? '' : ':*'}`;
  const digits = phoneDigits(typed);
  return digits && words.length > 1 ? `(${all}) | '${digits}':*` : all;
}

function isWholeAddress(typed: string): boolean {
  return /^[^\s@]+@[^\s@]+\.[a-z]{2,}$/i.test(typed);
}

function phoneDigits(typed: string): string | null {
  if (!/^[+\d\s()./-]+$/.test(typed)) return null;
  const digits = typed.replaceAll(/\D/g, '');
  return digits.length < PHONE_MIN_DIGITS ? null : digits;
}

/**
 * Every character that ends a line somewhere: in a header, on a screen, or for Unicode (UAX #14, BK, CR, LF and NL).
 */
const LINE_BREAKS = /[\n\v\f\r\u0085\u2028\u2029]+/g;

/**
 * A text of one line: what breaks lines becomes one space, and there is no white space around it. A name or a subject
 * is in the header of a mail, where a second line would be another header.
 */
export function foldLines(text: string): string {
  return text.replaceAll(LINE_BREAKS, ' ').trim();
}

/** Control characters, and bidirectional embeddings, overrides and isolates (UAX #9), which reorder the text around them. */
const UNSAFE_IN_NAME = /[\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu;
/** A character that leaves something on a screen. U+2800 is the empty pattern of Braille. */
const VISIBLE = /[^\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u;

/**
 * Returns a person's name in one line, without characters that hide or reorder what is around it.
 * @returns an empty text for a name of only invisible characters
 */
export function cleanName(text: string): string {
  const name = foldLines(text).replaceAll(UNSAFE_IN_NAME, ' ').trim();
  return VISIBLE.test(name) ? name : '';
}

/** What replaces a character that cannot be kept, as everywhere in Unicode. */
const REPLACEMENT = '\ufffd';

/**
 * A text from outside as it can be kept, as a contact's words are never refused: U+0000 and halves of characters are
 * replaced (decisions: values, 5), and what is too long is cut, where `cutNote` then says so.
 * @param maxLength in Unicode code points, the note not counted
 */
export function truncateText(text: string, maxLength: number, cutNote = ''): string {
  // No more than can matter, before it is taken apart: a code point is two units at most.
  const units = text
    .slice(0, 2 * (maxLength + 1))
    .toWellFormed()
    .replaceAll('\0', REPLACEMENT);
  const points = [...units];
  return points.length > maxLength ? `${points.slice(0, maxLength).join('')}${cutNote}` : units;
}

/** Whether PostgreSQL and JSON can hold a text unchanged: no U+0000, no lone surrogate (decisions: values, 5). */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}
