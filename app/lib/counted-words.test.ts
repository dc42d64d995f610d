import { expect, test } from 'vitest';
import { countedWords } from '#app/lib/format-count.ts';

test.each([
  [0, false, '0 contacts'],
  [1, false, '1 contact'],
  [12, false, '12 contacts'],
  [999, true, '999+ contacts'],
])('formats %s with more: %s as %s', (count, more, words) => {
  expect(countedWords({ count, more }, 'contact')).toBe(words);
});
