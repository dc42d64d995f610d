import { matchedWords } from '#server/core/text.ts';

/** Length of a snippet, in characters. */
const SNIPPET_LENGTH = 140;
/** Maximum number of characters before the first match. A row of the list shows about 35. */
const BEFORE_LENGTH = 16;

const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/**
 * Returns one line of a text around the first word that a search matches, starting at a word. Returns the start of the
 * text when no word matches.
 * @param stemmed words that the search matches by their stems
 */
export function snippetOf(content: string, search: string, stemmed: readonly string[] = []): string {
  const isMatch = matchedWords(search, stemmed);
  const text = content.replaceAll(/\s+/g, ' ').trim();
  let first = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (!isMatch(word)) continue;
    first = index;
    break;
  }
  if (first <= BEFORE_LENGTH) return text.slice(0, SNIPPET_LENGTH);
  const from = text.indexOf(' ', first - BEFORE_LENGTH) + 1;
  return `… ${text.slice(from === 0 || from > first ? first : from, first + SNIPPET_LENGTH)}`;
}
