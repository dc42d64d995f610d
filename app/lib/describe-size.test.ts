import { expect, test } from 'vitest';
import { describeSize } from '#app/lib/describe-size.ts';

test.each([
  [1, '1 byte'],
  [999, '999 bytes'],
  [340_400, '340 KB'],
  [999_499, '999 KB'],
  [1_000_000, '1 MB'],
  [1_249_000, '1.2 MB'],
])('%d bytes are %s', (bytes, words) => {
  expect(describeSize(bytes)).toBe(words);
});
