import { expect, test } from 'vitest';
import { formatCount } from '#app/lib/format-count.ts';

test('a count says when there are more, and nothing when it knows nothing', () => {
  expect(formatCount({ count: 0, more: false })).toBe('0');
  expect(formatCount({ count: 12, more: false })).toBe('12');
  expect(formatCount({ count: 999, more: true })).toBe('999+');
  expect(formatCount({ count: 0, more: true })).toBe('');
});
