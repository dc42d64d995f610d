import { expect, test } from 'vitest';
import { isStorableText, truncateText } from '#server/core/text.ts';

test.each([
  ['', ''],
  [' \n\t', ' \n\t'],
  ['Größe 😀 "x"', 'Größe 😀 "x"'],
  ['a\0b', 'a\ufffdb'],
  ['a\ud83d', 'a\ufffd'],
  ['\ude00b', '\ufffdb'],
])('%j is stored as %j', (input, stored) => {
  expect(truncateText(input, 100)).toBe(stored);
  expect(isStorableText(stored)).toBe(true);
});

test.each([
  ['abcde', 'abcde'],
  ['abcdef', 'abcde…'],
  ['abcdefghijklmnopqrstuvwxyz', 'abcde…'],
  ['😀😀😀😀😀', '😀😀😀😀😀'],
  ['😀😀😀😀😀😀', '😀😀😀😀😀…'],
  ['a😀😀😀😀', 'a😀😀😀😀'],
  ['a😀😀😀😀😀😀😀😀', 'a😀😀😀😀…'],
  ['\0\0\0\0\0\0', '\ufffd\ufffd\ufffd\ufffd\ufffd…'],
])('%j is cut to five characters, with a note: %j', (input, stored) => {
  expect(truncateText(input, 5, '…')).toBe(stored);
});

test('reads only the prefix of a very long text', () => {
  expect(truncateText('x'.repeat(200_000_000), 3, '…')).toBe('xxx…');
});
