import { expect, test } from 'vitest';
import { formatBack } from '#app/components/web-chat/format-back.ts';

const FRIDAY_NIGHT = Date.parse('2026-12-18T22:30:00Z');

test.each([
  ['2026-12-18T23:00:00Z', 'UTC', 'today at 23:00'],
  // Another day for the visitor than for the team.
  ['2026-12-18T23:00:00Z', 'Europe/Berlin', 'tomorrow at 00:00'],
  ['2026-12-19T09:00:00Z', 'UTC', 'tomorrow at 09:00'],
  ['2026-12-21T08:00:00Z', 'Europe/Berlin', 'on Monday at 09:00'],
  ['2026-12-21T08:00:00Z', 'Asia/Tokyo', 'on Monday at 17:00'],
  ['2026-12-25T08:00:00Z', 'UTC', 'on 25 December at 08:00'],
  ['2027-01-04T09:00:00Z', 'UTC', 'on 4 January at 09:00'],
])('a team that opens at %s is back for a visitor in %s %s', (opens, timeZone, words) => {
  expect(formatBack(new Date(opens), FRIDAY_NIGHT, timeZone)).toBe(words);
});
