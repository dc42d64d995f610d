import { expect, test } from 'vitest';
import { makeRateLimiter } from '#server/http/request/body-limits.ts';

const limiter = () => makeRateLimiter({ perSecond: 100, burst: 50 });

test('a burst passes immediately, and further amounts wait in proportion', () => {
  const consume = limiter();
  expect([consume('ada', 30, 1_000), consume('ada', 20, 1_000)]).toEqual([0, 0]);
  expect([consume('ada', 10, 1_000), consume('ada', 100, 1_000)]).toEqual([100, 1_100]);
});

test('a client that waits as required continues at the configured rate', () => {
  const consume = limiter();
  let now = 0;
  let consumed = 0;
  while (now < 60_000) {
    now += consume('ada', 7, now);
    consumed += 7;
  }
  expect(consumed).toBeGreaterThanOrEqual(6_050);
  expect(consumed).toBeLessThan(6_070);
});

test('keys do not delay each other, and an idle key has its full burst again', () => {
  const consume = limiter();
  expect(consume('ada', 1_000, 0)).toBe(9_500);
  expect(consume('eve', 50, 0)).toBe(0);
  expect(consume('ada', 50, 10_000)).toBe(0);
});
