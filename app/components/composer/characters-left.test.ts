import { expect, test } from 'vitest';
import { charactersLeft } from '#app/components/composer/characters-left.ts';

test.each<[string, string, string | null, boolean]>([
  ['shows nothing far from the limit', 'x'.repeat(499), null, false],
  ['shows the remaining characters near the limit', 'x'.repeat(500), '500 characters left', false],
  ['uses the singular for one remaining character', 'x'.repeat(999), '1 character left', false],
  ['shows zero at the limit', 'x'.repeat(1_000), '0 characters left', false],
  ['shows the excess beyond the limit', 'x'.repeat(1_001), '1 character too many', true],
  ['counts an emoji as one character', '😀'.repeat(999), '1 character left', false],
  ['shows nothing far from the limit with emoji', '😀'.repeat(400), null, false],
])('%s', (_what, text, sentence, isTooLong) => {
  expect(charactersLeft(text, 1_000)).toEqual({ sentence, isTooLong });
});
