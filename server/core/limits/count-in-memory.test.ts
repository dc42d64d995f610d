import { afterEach, expect, test, vi } from 'vitest';
import { countInMemory } from '#server/core/limits/limits.ts';

const MINUTE = { points: 10, seconds: 60 };
afterEach(() => {
  vi.useRealTimers();
});

test('a window starts with the first call and counts until it ends', () => {
  vi.useFakeTimers({ now: 0 });
  const counting = countInMemory();
  expect(counting.take('a', MINUTE)).toEqual({ count: 1, endsAt: 60_000 });
  vi.setSystemTime(59_999);
  expect(counting.take('a', MINUTE)).toEqual({ count: 2, endsAt: 60_000 });
  expect(counting.take('b', MINUTE)).toMatchObject({ count: 1 });
  vi.setSystemTime(60_000);
  expect(counting.take('a', MINUTE)).toEqual({ count: 1, endsAt: 120_000 });
});

test('a forgotten key starts a new window', () => {
  const counting = countInMemory();
  counting.take('a', MINUTE);
  counting.forget('a');
  expect(counting.take('a', MINUTE).count).toBe(1);
});

test('an attacker with many keys cannot fill the memory: the oldest windows are dropped', () => {
  const counting = countInMemory(3);
  for (const key of ['a', 'b', 'c', 'd']) counting.take(key, MINUTE);
  expect(counting.take('d', MINUTE).count).toBe(2);
  expect(counting.take('b', MINUTE).count).toBe(2);
  expect(counting.take('a', MINUTE).count).toBe(1);
});
