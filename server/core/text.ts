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
