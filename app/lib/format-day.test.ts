import { expect, test } from 'vitest';
import { dayOf, formatDay } from '#app/lib/format-time.ts';

const NOW = Date.parse('2026-11-21T14:00:00Z');

test.each([
  ['2026-11-21T00:00:00Z', 'UTC', 'Today'],
  ['2026-11-20T23:59:59Z', 'UTC', 'Yesterday'],
  ['2026-11-20T23:59:59Z', 'Europe/Berlin', 'Today'],
  ['2026-11-14T12:00:00Z', 'UTC', 'Saturday 14 November'],
  ['2025-11-21T12:00:00Z', 'UTC', 'Friday 21 November 2025'],
])('formats %s in %s as %s', (at, timeZone, words) => {
  expect(formatDay(new Date(at), NOW, timeZone)).toBe(words);
});

test('days start at midnight in the reader’s time zone', () => {
  const [before, after] = [new Date('2026-11-20T22:59:00Z'), new Date('2026-11-20T23:01:00Z')];
  expect(dayOf(before, 'UTC')).toBe(dayOf(after, 'UTC'));
  expect(dayOf(before, 'Europe/Berlin')).not.toBe(dayOf(after, 'Europe/Berlin'));
});
