import { expect, test } from 'vitest';
import { formatEventTime } from '#app/lib/format-event-time.ts';

test.each([
  ['2026-12-01T09:00:00.000Z', '2026-12-01T09:30:00.000Z', 'Tue, 1 Dec 2026, 10:00–10:30 CET'],
  [
    '2026-12-01T22:30:00.000Z',
    '2026-12-01T23:30:00.000Z',
    'Tue, 1 Dec 2026, 23:30 – Wed, 2 Dec 2026, 00:30 CET',
  ],
  ['2026-07-01T08:00:00.000Z', null, 'Wed, 1 Jul 2026, 10:00 CEST'],
  [
    '2026-12-01T09:00:00.000',
    '2026-12-01T09:30:00.000',
    'Tue, 1 Dec 2026, 09:00–09:30 (time zone not given)',
  ],
  ['2026-12-01', null, 'Tue, 1 Dec 2026'],
  ['2026-12-01', '2026-12-03', 'Tue, 1 Dec 2026 – Thu, 3 Dec 2026'],
])('an event from %s to %s, read in Berlin: %s', (start, end, words) => {
  expect(
    formatEventTime({ start, end }, 'Europe/Berlin').replaceAll('GMT+1', 'CET').replaceAll('GMT+2', 'CEST'),
  ).toBe(words);
});
