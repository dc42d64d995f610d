import { expect, test } from 'vitest';
import { shownCount } from '#app/lib/shown-count.ts';

test('a count says when there are more, and nothing when it knows nothing', () => {
  expect(shownCount({ count: 0, more: false })).toBe('0');
  expect(shownCount({ count: 12, more: false })).toBe('12');
  expect(shownCount({ count: 999, more: true })).toBe('999+');
  expect(shownCount({ count: 0, more: true })).toBe('');
});
