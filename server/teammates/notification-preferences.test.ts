import { describe, expect, test } from 'vitest';
import { isQuiet, quietHoursErrors } from '#server/teammates/notification-preferences.ts';

const at = (time: string) => new Date(`2026-11-25T${time}Z`);
const minutes = (hour: number, minute = 0) => hour * 60 + minute;

describe('quiet hours', () => {
  test.each([
    ['21:59:59', false],
    ['22:00:00', true],
    ['23:59:59', true],
    ['00:00:00', true],
    ['06:59:59', true],
    ['07:00:00', false],
    ['12:00:00', false],
  ])('across midnight, at %s: %s', (time, quiet) => {
    expect(isQuiet({ from: minutes(22), until: minutes(7), timeZone: 'UTC' }, at(time))).toBe(quiet);
  });

  test.each([
    ['11:59:59', false],
    ['12:00:00', true],
    ['12:29:59', true],
    ['12:30:00', false],
  ])('within a day, at %s: %s', (time, quiet) => {
    expect(isQuiet({ from: minutes(12), until: minutes(12, 30), timeZone: 'UTC' }, at(time))).toBe(quiet);
  });

  test.each([
    ['America/New_York', '03:30:00', true],
    ['America/New_York', '12:30:00', false],
    ['Asia/Tokyo', '13:00:00', true],
    ['Asia/Tokyo', '03:30:00', false],
    ['Asia/Kolkata', '16:29:00', false],
    ['Asia/Kolkata', '16:30:00', true],
  ])('are in the time zone %s, at %s UTC: %s', (timeZone, time, quiet) => {
    expect(isQuiet({ from: minutes(22), until: minutes(7), timeZone }, at(time))).toBe(quiet);
  });

  test('follow daylight saving time', () => {
    const berlin = { from: minutes(22), until: minutes(7), timeZone: 'Europe/Berlin' };
    expect(isQuiet(berlin, new Date('2026-07-01T20:30:00Z'))).toBe(true);
    expect(isQuiet(berlin, new Date('2026-12-01T20:30:00Z'))).toBe(false);
  });

  test('with an unknown time zone are in UTC', () => {
    expect(isQuiet({ from: 0, until: 60, timeZone: 'Mars/Olympus' }, at('00:30:00'))).toBe(true);
  });
});

test.each([
  [{ from: 60, until: 60, timeZone: 'UTC' }, ['quietUntil']],
  [{ from: -1, until: 60, timeZone: 'UTC' }, ['quietFrom']],
  [{ from: 0, until: 1_440, timeZone: 'UTC' }, ['quietUntil']],
  [{ from: 0, until: 60, timeZone: 'Mars/Olympus' }, ['timeZone']],
  [{ from: 1_320, until: 0, timeZone: 'Europe/Berlin' }, []],
])('%o has errors in %j', (input, fields) => {
  expect(Object.keys(quietHoursErrors(input))).toEqual(fields);
});
