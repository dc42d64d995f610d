import { expect, test } from 'vitest';
import {
  addDays,
  daysOfPoint,
  hasDayPoints,
  pointsOf,
  previousOf,
  rangesOf,
  todayIn,
} from '#server/inbox/reports/period.ts';

test('the period before has the same length and ends the day before', () => {
  expect(previousOf({ from: '2026-03-01', to: '2026-03-07' })).toEqual({
    from: '2026-02-22',
    to: '2026-02-28',
  });
  expect(previousOf({ from: '2026-11-29', to: '2026-11-29' })).toEqual({
    from: '2026-11-28',
    to: '2026-11-28',
  });
});

test('each day of a period is read exactly once, as a day or in its month', () => {
  for (const from of ['2025-12-31', '2026-01-01', '2026-01-02', '2026-02-28']) {
    for (const length of [1, 2, 28, 31, 59, 60, 90, 366]) {
      const days = rangesOf({ from, to: addDays(from, length - 1) }).flatMap((range) => {
        const inside = [];
        for (let day = range.from; day < range.until; day = addDays(day, 1)) inside.push(day);
        return inside;
      });
      expect(days).toEqual(Array.from({ length }, (_day, index) => addDays(from, index)));
    }
  }
});

test('whole months are read as months, and at most 60 days besides', () => {
  expect(rangesOf({ from: '2026-01-15', to: '2026-04-14' })).toEqual([
    { isMonth: false, from: '2026-01-15', until: '2026-02-01' },
    { isMonth: true, from: '2026-02-01', until: '2026-04-01' },
    { isMonth: false, from: '2026-04-01', until: '2026-04-15' },
  ]);
  expect(rangesOf({ from: '2026-02-01', to: '2026-02-28' })).toEqual([
    { isMonth: true, from: '2026-02-01', until: '2026-03-01' },
  ]);
});

test('a chart has a point for each day, and for each month of a long period', () => {
  expect(pointsOf({ from: '2026-02-27', to: '2026-03-01' })).toEqual([
    '2026-02-27',
    '2026-02-28',
    '2026-03-01',
  ]);
  const year = { from: '2025-11-30', to: '2026-11-29' };
  expect(hasDayPoints(year)).toBe(false);
  expect(pointsOf(year)).toHaveLength(13);
  expect(pointsOf(year).at(-1)).toBe('2026-11-01');
});

test('a point stands for its day, or for the days of its month that are in the period', () => {
  expect(daysOfPoint('2026-02-27', { from: '2026-02-20', to: '2026-03-01' })).toEqual({
    from: '2026-02-27',
    to: '2026-02-27',
  });
  const year = { from: '2025-11-30', to: '2026-11-29' };
  expect(pointsOf(year).map((point) => daysOfPoint(point, year))).toEqual(
    expect.arrayContaining([
      { from: '2025-11-30', to: '2025-11-30' },
      { from: '2026-02-01', to: '2026-02-28' },
      { from: '2026-11-01', to: '2026-11-29' },
    ]),
  );
});

test('today is the day in the time zone', () => {
  const now = new Date('2026-03-29T22:30:00Z');
  expect(todayIn('Europe/Berlin', now)).toBe('2026-03-30');
  expect(todayIn('America/New_York', now)).toBe('2026-03-29');
});
