import { expect, test } from 'vitest';
import { formatSize } from '#app/lib/format-size.ts';

test.each([
  [1, '1 byte'],
  [999, '999 bytes'],
  [340_400, '340 KB'],
  [999_499, '999 KB'],
  [1_000_000, '1 MB'],
  [1_249_000, '1.2 MB'],
  [999_949_999, '999.9 MB'],
  [1_200_000_000, '1.2 GB'],
  [5_000_000_000, '5 GB'],
])('formats %d bytes as %s', (bytes, words) => {
  expect(formatSize(bytes)).toBe(words);
});
