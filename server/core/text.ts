import { asciiEmail } from '#server/core/email-domain.ts';

/** Maximum length of a search text. Further characters are ignored. */
const TEXT_MAX_LENGTH = 200;
const WORDS_MAX = 8;
/** Minimum length of a prefix: a shorter one matches half of all words. */
const PREFIX_MIN_LENGTH = 2;
/** Minimum number of digits of a phone number. */
const PHONE_MIN_DIGITS = 4;

/**
 * Converts a search text to a `tsquery`: all words, the last one as a prefix because it may be incomplete. Groups of digits also
 * match as one phone number, however it is formatted. Words contain only letters, digits and combining marks, so that the query
 * contains no operators of the user.
 * @returns null when the text contains no word
 */
export function searchWords(text: string): string | null {
  const { typed, words, isPrefix } = parseSearch(text);
  if (words.length === 0) return null;
  const all = `${words.map((word) => `'${word}'`).join(' & ')}${isPrefix ? ':*' : ''}`;
  const digits = phoneDigits(typed);
  return digits && words.length > 1 ? `(${all}) | '${digits}':*` : all;
}

/**
 * Returns a function that tells whether a word of a found text matches one of the words of a search text.
 * @param stemmed words of the found text that the search matches by their stems, in lowercase. If there are any, words without
 *   meaning in the search text match none.
 */
export function matchedWords(text: string, stemmed: readonly string[] = []): (word: string) => boolean {
  const { words, isPrefix } = parseSearch(text);
  const lowercase = words.map((word) => word.toLowerCase());
  const exact = new Set(stemmed.length > 0 ? stemmed : lowercase);
  const prefix = isPrefix ? lowercase.at(-1) : undefined;
  return (word) => {
    const lower = word.normalize().toLowerCase();
    return exact.has(lower) || (prefix !== undefined && lower.startsWith(prefix));
  };
}

/** Returns the words of a search text for `stemmed_query`. `digits`: the text may be a phone number. */
export function stemmedSearch(
  text: string,
): { words: string[]; isPrefix: boolean; digits: string | null } | null {
  const { typed, words, isPrefix } = parseSearch(text);
  return words.length === 0
    ? null
    : { words, isPrefix, digits: words.length > 1 ? phoneDigits(typed) : null };
}

/** `isPrefix`: the last word may be incomplete. */
function parseSearch(text: string): { typed: string; words: string[]; isPrefix: boolean } {
  // `separated_words` of the database composes accents in the same way.
  const trimmed = text.slice(0, TEXT_MAX_LENGTH).normalize().trim();
  // Stored addresses have their domain in ASCII.
  const typed = trimmed.includes('@') ? asciiEmail(trimmed) : trimmed;
  const words = typed.split(/[^\p{L}\p{N}\p{M}]+/u).filter((word) => /[\p{L}\p{N}]/u.test(word));
  const last = words.at(-1) ?? '';
  const finished = isWholeAddress(typed) || /\s$/.test(text) || last.length < PREFIX_MIN_LENGTH;
  return { typed, words: words.slice(0, WORDS_MAX), isPrefix: !finished && words.length <= WORDS_MAX };
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
 * Every character that breaks a line in a header, on a screen or in Unicode (UAX #14, classes BK, CR, LF and NL).
 */
const LINE_BREAKS = /[\n\v\f\r\u0085\u2028\u2029]+/g;

/**
 * Joins the lines of a text by spaces and trims it. Names and subjects appear in mail headers, where a second line would be
 * another header.
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

/** Unicode's replacement character. */
const REPLACEMENT = '\ufffd';

/**
 * Makes any text storable, because a contact's words are never refused: replaces U+0000 and lone surrogates (docs/rulings.md
 * 1.5), and cuts a text that is too long.
 * @param maxLength in Unicode code points, without the note
 * @param cutNote added to a text that was cut
 */
export function truncateText(text: string, maxLength: number, cutNote = ''): string {
  // Cut before splitting into code points, which are at most two units each.
  const units = text
    .slice(0, 2 * (maxLength + 1))
    .toWellFormed()
    .replaceAll('\0', REPLACEMENT);
  const points = [...units];
  return points.length > maxLength ? `${points.slice(0, maxLength).join('')}${cutNote}` : units;
}

/** Returns whether PostgreSQL and JSON can store a text unchanged: no U+0000, no lone surrogate (docs/rulings.md 1.5). */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** Decodes percent-encoded octets in UTF-8 (RFC 3986 §2.1). Returns undefined when the text is invalid. */
export function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Parses JSON. Returns undefined when the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a text for HTML, in elements and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
