import { expect, test } from 'vitest';
import { exactTime, formatDue, formatDuration, formatSince, formatTime } from '#app/lib/format-time.ts';

const now = Date.parse('2026-11-21T06:29:00+00:00');
const before = (minutes: number) => new Date(now - minutes * 60_000);

test.each([
  [0, 'now', 'just now'],
  [1, '1m', '1 minute ago'],
  [59, '59m', '59 minutes ago'],
  [60, '1h', '1 hour ago'],
  [26 * 60, '1d', '1 day ago'],
  [6 * 24 * 60, '6d', '6 days ago'],
  [10 * 24 * 60, '11 Nov', '11 November'],
  [400 * 24 * 60, '17 Oct 2025', '17 October 2025'],
])('formats %i minutes ago as %s in lists and %s in sentences', (minutes, list, sentence) => {
  expect(formatTime(before(minutes), now, 'UTC', 'lists')).toBe(list);
  expect(formatTime(before(minutes), now, 'UTC', 'sentences')).toBe(sentence);
});

test('shows no future time for a fast clock', () => {
  expect(formatTime(before(-5), now, 'UTC', 'lists')).toBe('now');
});

test('formats the exact time in the reader’s time zone', () => {
  expect(exactTime(new Date(now), 'UTC')).toBe('Sat, 21 Nov 2026, 06:29 UTC');
  expect(exactTime(new Date(now), 'Asia/Tokyo')).toContain('15:29');
});

test.each([
  [-60, 'any moment now'],
  [0.4, 'any moment now'],
  [1, 'in 1 second'],
  [40, 'in 40 seconds'],
  [60, 'in 1 minute'],
  [119, 'in 2 minutes'],
  [1_800, 'in 30 minutes'],
  [7_200, 'in 2 hours'],
])('formats a time in %d seconds as %s', (seconds, words) => {
  expect(formatDue(new Date(now + seconds * 1_000), now)).toBe(words);
});

test('formats a time as time of day today, with its date otherwise, in the reader’s time zone', () => {
  expect(formatSince(before(60), now, 'UTC')).toBe('05:29');
  expect(formatSince(before(7 * 60), now, 'UTC')).toBe('20 Nov, 23:29');
  expect(formatSince(before(7 * 60), now, 'Asia/Tokyo')).toBe('08:29');
});

test.each([
  [0, '0 ms'],
  [182, '182 ms'],
  [1_234, '1.2 s'],
  [15_002, '15 s'],
  [120_000, '2 min'],
])('formats a duration of %d ms as %s', (ms, words) => {
  expect(formatDuration(ms)).toBe(words);
});
