import { expect, test } from 'vitest';
import { charactersLeft } from '#app/components/composer/characters-left.ts';

test.each<[string, string, string | null, boolean]>([
  ['far from the limit nothing is said', 'x'.repeat(499), null, false],
  ['near it, how many are left', 'x'.repeat(500), '500 characters left', false],
  ['one', 'x'.repeat(999), '1 character left', false],
  ['none', 'x'.repeat(1_000), '0 characters left', false],
  ['beyond it, how many are too many', 'x'.repeat(1_001), '1 character too many', true],
  ['an emoji is one character', '😀'.repeat(999), '1 character left', false],
  ['far from it also in emoji', '😀'.repeat(400), null, false],
])('%s', (_what, text, sentence, isTooLong) => {
  expect(charactersLeft(text, 1_000)).toEqual({ sentence, isTooLong });
});
