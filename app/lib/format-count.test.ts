import { expect, test } from 'vitest';
import { formatCount } from '#app/lib/format-count.ts';

test('formats a count, a lower bound, and an unknown count as an empty string', () => {
  expect(formatCount({ count: 0, more: false })).toBe('0');
  expect(formatCount({ count: 12, more: false })).toBe('12');
  expect(formatCount({ count: 999, more: true })).toBe('999+');
  expect(formatCount({ count: 0, more: true })).toBe('');
});
