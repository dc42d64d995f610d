import { expect, test } from 'vitest';
import { delayMs, slowDown } from '#server/teammates/limit-sign-in.ts';

test('the first fifty failures of an account cause no delay, each further one 0.1 s more, up to ten seconds', () => {
  expect([0, 1, 50].map(delayMs)).toEqual([0, 0, 0]);
  expect([51, 60, 100].map(delayMs)).toEqual([100, 1_000, 5_000]);
  expect([150, 151, 1_000, Number.MAX_SAFE_INTEGER].map(delayMs)).toEqual(Array(4).fill(10_000));
});

test('ten requests wait per account, further ones are refused immediately, and a freed place is reused', async () => {
  const waiting = Array.from({ length: 10 }, () => slowDown('ada', 200));
  expect(await slowDown('ada', 200)).toBe(false);
  expect(await slowDown('ada', 0)).toBe(true);
  expect(await Promise.all(waiting)).toEqual(Array(10).fill(true));
  expect(await slowDown('ada', 200)).toBe(true);
});

test('a hundred requests wait per process, whatever their accounts', async () => {
  const waiting = Array.from({ length: 100 }, (_, i) => slowDown(`account ${i}`, 200));
  expect(await slowDown('another', 200)).toBe(false);
  expect(await slowDown('another', 0)).toBe(true);
  expect(await Promise.all(waiting)).toEqual(Array(100).fill(true));
});
