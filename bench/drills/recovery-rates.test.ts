import { expect, test } from 'vitest';
import { backAfter, cappedRate, rateIn } from '#bench/drills/recovery-rates.ts';

/** Arrivals at a constant rate, in ms. */
const steady = (from: number, to: number, perSecond: number) =>
  Array.from(
    { length: ((to - from) / 1_000) * perSecond },
    (_, number) => from + (number * 1_000) / perSecond,
  );
const SPAN = { from: 10_000, to: 30_000 };

test('the rate counts only arrivals within the span', () => {
  expect(rateIn(steady(0, 60_000, 50), SPAN)).toBe(50);
});

test('a backlog that is sent later does not make up for a silent sample', () => {
  const silentFirst = [...steady(15_000, 20_000, 100), ...steady(20_000, 30_000, 50)];
  expect(rateIn(silentFirst, SPAN)).toBe(50);
  expect(cappedRate(silentFirst, SPAN, 50)).toBe(37.5);
});

test('a pause of two seconds whose work follows within the sample costs nothing', () => {
  const caughtUp = [...steady(12_000, 15_000, 84), ...steady(15_000, 30_000, 50)];
  expect(cappedRate(caughtUp, SPAN, 50)).toBe(50);
});

test('work is back with the first second of nine tenths of the rate before', () => {
  const slow = [...steady(10_000, 13_000, 20), ...steady(13_000, 30_000, 50)];
  const back = backAfter(slow, SPAN, 50) ?? 0;
  expect(back).toBeGreaterThan(2_500);
  expect(back).toBeLessThanOrEqual(3_000);
});

test('work that does not return is not back', () => {
  expect(backAfter(steady(0, 10_000, 50), SPAN, 50)).toBeUndefined();
});
