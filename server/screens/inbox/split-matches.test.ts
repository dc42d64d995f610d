import { expect, test } from 'vitest';
import { splitMatches } from '#server/screens/inbox/split-matches.ts';

const marked = (text: string, search: string) =>
  splitMatches(text, search)
    .map((part) => (part.isMatch ? `[${part.text}]` : part.text))
    .join('');

test.each([
  ['all words, in any case and order', 'Order A-17 for Nora', 'nora ORDER', '[Order] A-17 for [Nora]'],
  ['the last word as a prefix', 'Delivered late', 'deliv', '[Delivered] late'],
  ['no prefix of a finished word', 'Delivered late', 'deliv ', 'Delivered late'],
  ['no part inside a word', 'undelivered', 'deliv', 'undelivered'],
  ['words with accents', 'Fünf Bäume', 'fünf', '[Fünf] Bäume'],
  ['every occurrence', 'late, very late', 'late ', '[late], very [late]'],
  ['nothing for a search without words', 'Hello', '?!', 'Hello'],
])('a search marks %s', (_what, text, search, expected) => {
  expect(marked(text, search)).toBe(expected);
});
