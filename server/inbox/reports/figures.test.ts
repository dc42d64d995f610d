import { expect, test } from 'vitest';
import { figuresOf, hoursOf } from '#server/inbox/reports/figures.ts';
import { MEASURES, medianOf } from '#server/inbox/reports/measures.ts';

const bucketOf = (seconds: number) => Math.floor(Math.log(Math.max(seconds, 1)) * 10);

function counted(times: number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const time of times) counts.set(bucketOf(time), (counts.get(bucketOf(time)) ?? 0) + 1);
  return counts;
}

test('a median of counted times is within ten percent of the exact one', () => {
  const times = Array.from({ length: 1_001 }, (_time, index) => 30 + index ** 2);
  const exact = times[500] ?? 0;
  const median = medianOf(counted(times)) ?? 0;
  expect(Math.abs(median - exact) / exact).toBeLessThan(0.1);
  expect(Math.abs((medianOf(counted([3_600])) ?? 0) - 3_600) / 3_600).toBeLessThan(0.1);
});

test('nothing has no median', () => {
  expect(medianOf(new Map())).toBeNull();
  expect(medianOf(new Map([[3, 0]]))).toBeNull();
});

test('figures add the rows of different days', () => {
  const cells = [
    { measure: MEASURES.created, bucket: 0, count: 2 },
    { measure: MEASURES.created, bucket: 167, count: 1 },
    { measure: MEASURES.created, bucket: 0, count: 1 },
    { measure: MEASURES.sla, bucket: 1, count: 3 },
    { measure: MEASURES.sla, bucket: 0, count: 1 },
    { measure: MEASURES.rated, bucket: 5, count: 2 },
    { measure: MEASURES.rated, bucket: 3, count: 1 },
  ];
  expect(figuresOf(cells)).toMatchObject({
    created: 4,
    slaMet: 3,
    slaMissed: 1,
    rated: 3,
    satisfied: 2,
    resolved: 0,
    resolveSeconds: null,
  });
  const hours = hoursOf(cells);
  expect(hours).toHaveLength(168);
  expect([hours[0], hours[1], hours[167]]).toEqual([3, 0, 1]);
});
