import { expect, test } from 'vitest';
import { makePace } from '#server/ground/limits/make-pace.ts';

const pace = () => makePace({ perSecond: 100, atOnce: 50 });

test('what comes at once waits for nothing, further amounts for as long as they take', () => {
  const take = pace();
  expect([take('ada', 30, 1_000), take('ada', 20, 1_000)]).toEqual([0, 0]);
  expect([take('ada', 10, 1_000), take('ada', 100, 1_000)]).toEqual([100, 1_100]);
});

test('who waited as long as was asked goes on, at the same pace', () => {
  const take = pace();
  let now = 0;
  let taken = 0;
  while (now < 60_000) {
    now += take('ada', 7, now);
    taken += 7;
  }
  expect(taken).toBeGreaterThanOrEqual(6_050);
  expect(taken).toBeLessThan(6_070);
});

test('nobody waits for another key, and an old one has all of it at once again', () => {
  const take = pace();
  expect(take('ada', 1_000, 0)).toBe(9_500);
  expect(take('eve', 50, 0)).toBe(0);
  expect(take('ada', 50, 10_000)).toBe(0);
});
