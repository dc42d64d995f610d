import { expect, test } from 'vitest';
import {
  describeWeek,
  draftOf,
  endsNextDay,
  hoursOf,
  nextSpan,
} from '#app/components/settings/business-hours/hours-draft.ts';
import type { BusinessHours } from '#server/screens/settings/views.ts';

const HOURS: BusinessHours = {
  timeZone: 'Europe/Berlin',
  week: [
    [
      [480, 720],
      [780, 1_020],
    ],
    [[540, 1_020]],
    [[540, 1_020]],
    [],
    [[1_320, 1_800]],
    [[0, 1_440]],
    [],
  ],
  holidays: [{ date: '2026-12-25', name: 'Christmas Day' }],
};

test('hours stay the same through the fields of the form', () => {
  expect(hoursOf(draftOf(HOURS))).toEqual(HOURS);
});

test('the first hours are those of an office', () => {
  expect(describeWeek(hoursOf(draftOf(null)))).toBe('Mon–Fri 09:00–17:00');
});

test('the hours of a week are described in a line', () => {
  expect(describeWeek(HOURS)).toBe(
    'Mon 08:00–12:00 and 13:00–17:00, Tue–Wed 09:00–17:00, Fri 22:00–06:00, Sat 00:00–00:00',
  );
});

test('an end that is not after the start is on the next day', () => {
  const until = (end: string) => ({ id: 1, from: '22:00', until: end });
  expect(endsNextDay(until('06:00'))).toBe(true);
  expect(endsNextDay(until('23:00'))).toBe(false);
  // Midnight needs no explanation.
  expect(endsNextDay(until('00:00'))).toBe(false);
  expect(endsNextDay(until(''))).toBe(false);
});

test('a missing time is no minute of the day, so that it is refused', () => {
  const draft = draftOf(HOURS);
  expect(hoursOf({ ...draft, week: [[{ id: 1, from: '', until: '17:00' }]] }).week).toEqual([[[-1, 1_020]]]);
  expect(hoursOf({ ...draft, week: [[{ id: 1, from: '09:00', until: '' }]] }).week).toEqual([[[540, -1]]]);
});

test('another opening time of a day starts when the last one ends', () => {
  expect(nextSpan([])).toMatchObject({ from: '09:00', until: '17:00' });
  expect(nextSpan([{ id: 1, from: '09:00', until: '12:00' }])).toMatchObject({ from: '12:00', until: '' });
});
