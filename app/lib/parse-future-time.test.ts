import { expect, test } from 'vitest';
import { parseFutureTime } from '#app/lib/parse-future-time.ts';

/** Wednesday, 11:20 in Berlin. */
const NOW = new Date('2026-11-25T10:20:00Z');
const parse = (text: string, zone = 'Europe/Berlin', now = NOW) =>
  parseFutureTime(text, now, zone)?.toISOString();

test.each([
  ['in 3 hours', '2026-11-25T13:20:00.000Z'],
  ['45m', '2026-11-25T11:05:00.000Z'],
  ['in an hour', '2026-11-25T11:20:00.000Z'],
  ['2 days', '2026-11-27T10:20:00.000Z'],
  ['tomorrow', '2026-11-26T08:00:00.000Z'],
  ['Tomorrow at 9', '2026-11-26T08:00:00.000Z'],
  ['tomorrow 5:30 pm', '2026-11-26T16:30:00.000Z'],
  ['mon', '2026-11-30T08:00:00.000Z'],
  ['wed', '2026-12-02T08:00:00.000Z'],
  ['friday afternoon', '2026-11-27T12:00:00.000Z'],
  ['next week', '2026-11-30T08:00:00.000Z'],
  ['next tuesday 14.00', '2026-12-01T13:00:00.000Z'],
  ['tonight', '2026-11-25T17:00:00.000Z'],
  ['12am', '2026-11-25T23:00:00.000Z'],
  ['15:00', '2026-11-25T14:00:00.000Z'],
  ['9', '2026-11-26T08:00:00.000Z'],
  ['24 Dec', '2026-12-24T08:00:00.000Z'],
  ['December 24th, 14:30', '2026-12-24T13:30:00.000Z'],
  ['1st july at 9', '2027-07-01T07:00:00.000Z'],
  ['24 nov', '2027-11-24T08:00:00.000Z'],
  ['25 nov 5pm', '2026-11-25T16:00:00.000Z'],
  ['mar 9', '2027-03-09T08:00:00.000Z'],
  ['2027-01-04', '2027-01-04T08:00:00.000Z'],
  ['2027-01-04 evening', '2027-01-04T17:00:00.000Z'],
  ['4 jan 2028 10', '2028-01-04T09:00:00.000Z'],
])('“%s” is %s', (text, time) => {
  expect(parse(text)).toBe(time);
});

test.each([
  '',
  'soon',
  'yesterday',
  'today 9',
  'tomorrow 25',
  '13pm',
  '9:75',
  'in 0 hours',
  'constructor',
  '31 nov',
  '0 dec',
  '24 december 2025',
  '2026-13-01',
  '2026-11-24',
  '24 foo',
  '24 dec soon',
])('“%s” is not a future time', (text) => {
  expect(parse(text)).toBeUndefined();
});

test('days start in the teammate’s time zone', () => {
  const now = new Date('2026-11-25T23:30:00Z');
  expect(parse('tomorrow 9', 'Europe/Berlin', now)).toBe('2026-11-27T08:00:00.000Z');
  expect(parse('tomorrow 9', 'America/New_York', now)).toBe('2026-11-26T14:00:00.000Z');
  expect(parse('tomorrow 9', 'Asia/Kolkata', now)).toBe('2026-11-27T03:30:00.000Z');
});

test('days keep the time of day when the clocks change, and hours do not', () => {
  const now = new Date('2026-10-24T10:00:00Z');
  expect(parse('1 day', 'Europe/Berlin', now)).toBe('2026-10-25T11:00:00.000Z');
  expect(parse('tomorrow 9', 'Europe/Berlin', now)).toBe('2026-10-25T08:00:00.000Z');
  expect(parse('24 hours', 'Europe/Berlin', now)).toBe('2026-10-25T10:00:00.000Z');
});
