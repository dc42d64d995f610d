import { describe, expect, test } from 'vitest';
import { searchWords } from '#server/core/text.ts';

describe('a search text becomes a tsquery', () => {
  test.each([
    ['all words, with the last one as a prefix', 'refund for ord', "'refund' & 'for' & 'ord':*"],
    ['a finished word', 'refund ', "'refund'"],
    ['the parts of an address while it is typed', 'anna@exam', "'anna' & 'exam':*"],
    ['a complete address, not as a prefix', 'anna@example.com', "'anna' & 'example' & 'com'"],
    ['a phone number in any format', '+49 (30) 12-34', "('49' & '30' & '12' & '34':*) | '49301234':*"],
    ['digits alone', '49301234', "'49301234':*"],
    ['a single letter as a word', 'a', "'a'"],
    ['words of any script', 'Größe 東京', "'Größe' & '東京':*"],
    ['nothing that means something to the query', "a' | !b:* <-> \\c & (d)", "'a' & 'b' & 'c' & 'd'"],
  ])('%s', (_what, text, words) => {
    expect(searchWords(text)).toBe(words);
  });

  test('none without a word', () => {
    for (const text of ['', '   ', '@', '!!! --', '\u0301']) expect(searchWords(text)).toBeNull();
  });

  test('with at most eight words', () => {
    expect(searchWords('a1 b1 c1 d1 e1 f1 g1 h1 i1')?.split(' & ')).toHaveLength(8);
  });
});
