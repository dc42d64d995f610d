import { expect, test } from 'vitest';
import { makeRateLimiter } from '#server/http/request/body-limits.ts';

const limiter = () => makeRateLimiter({ perSecond: 100, atOnce: 50 });

test('what comes at once waits for nothing, further amounts for as long as they take', () => {
  const take = limiter();
  expect([take('ada', 30, 1_000), take('ada', 20, 1_000)]).toEqual([0, 0]);
  expect([take('ada', 10, 1_000), take('ada', 100, 1_000)]).toEqual([100, 1_100]);
});

test('a client that waits as long as it is asked to goes on at the same rate', () => {
  const take = limiter();
  let now = 0;
  let taken = 0;
  while (now < 60_000) {
    now += take('ada', 7, now);
    taken += 7;
  }
  expect(taken).toBeGreaterThanOrEqual(6_050);
  expect(taken).toBeLessThan(6_070);
});

test('no key waits for another one, and an old one has all of it at once again', () => {
  const take = limiter();
  expect(take('ada', 1_000, 0)).toBe(9_500);
  expect(take('eve', 50, 0)).toBe(0);
  expect(take('ada', 50, 10_000)).toBe(0);
});
