import { matchedWords } from '#server/core/text.ts';

/** A part of a text. `isMatch`: the search found it. */
type TextPart = { text: string; isMatch: boolean };

const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/**
 * Splits a text into words that match a search and the text between them.
 * @param stemmed words that the search matches by their stems
 */
export function splitMatches(text: string, search: string, stemmed: readonly string[] = []): TextPart[] {
  const isMatch = matchedWords(search, stemmed);
  const parts: TextPart[] = [];
  let end = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (!isMatch(word)) continue;
    if (index > end) parts.push({ text: text.slice(end, index), isMatch: false });
    parts.push({ text: word, isMatch: true });
    end = index + word.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), isMatch: false });
  return parts;
}
