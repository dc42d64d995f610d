import { expect, test } from 'vitest';
import { parseLocalTime } from '#app/lib/log-path.ts';

const read = (text: string | undefined, zone?: string) => parseLocalTime(text, zone)?.toISOString();

test.each([
  ['2026-11-21T14:05', undefined, '2026-11-21T14:05:00.000Z'],
  ['2026-11-21T14:05:09', 'UTC', '2026-11-21T14:05:09.000Z'],
  ['2026-11-21T14:05', 'Europe/Berlin', '2026-11-21T13:05:00.000Z'],
  ['2026-07-21T14:05', 'Europe/Berlin', '2026-07-21T12:05:00.000Z'],
  ['2026-11-21T00:30', 'Asia/Kolkata', '2026-11-20T19:00:00.000Z'],
  ['2026-11-21T22:00', 'America/New_York', '2026-11-22T03:00:00.000Z'],
  ['2026-11-21T14:05', 'Nowhere/Else', '2026-11-21T14:05:00.000Z'],
])('converts %s in %s to %s', (text, zone, timestamp) => {
  expect(read(text, zone)).toBe(timestamp);
});

test('converts times around daylight-saving changes', () => {
  expect(read('2026-03-29T01:59', 'Europe/Berlin')).toBe('2026-03-29T00:59:00.000Z');
  expect(read('2026-03-29T03:00', 'Europe/Berlin')).toBe('2026-03-29T01:00:00.000Z');
  expect(read('2026-10-25T01:59', 'Europe/Berlin')).toBe('2026-10-24T23:59:00.000Z');
  expect(read('2026-10-25T03:00', 'Europe/Berlin')).toBe('2026-10-25T02:00:00.000Z');
});

test('converts times that are skipped in spring to the time after the gap, east and west of UTC', () => {
  expect(read('2026-03-29T02:30', 'Europe/Berlin')).toBe('2026-03-29T01:30:00.000Z');
  expect(read('2026-03-08T02:30', 'America/New_York')).toBe('2026-03-08T07:30:00.000Z');
  expect(read('2026-03-08T01:59', 'America/New_York')).toBe('2026-03-08T06:59:00.000Z');
  expect(read('2026-03-08T03:00', 'America/New_York')).toBe('2026-03-08T07:00:00.000Z');
});

test.each([undefined, '', 'yesterday', '2026-11-21', '21.11.2026 14:05'])(
  'returns undefined for %s',
  (text) => {
    expect(read(text)).toBeUndefined();
  },
);
