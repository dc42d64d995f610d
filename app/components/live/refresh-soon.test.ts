import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { refreshSoon } from '#app/components/live/refresh-soon.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.runAllTimers();
  vi.useRealTimers();
});

test('news after a pause is shown at once', () => {
  const refresh = vi.fn();
  refreshSoon({ refresh });
  expect(refresh).toHaveBeenCalledTimes(1);
});

test('much news within a second is shown twice: at its beginning and at its end', () => {
  const refresh = vi.fn();
  const page = { refresh };
  for (let i = 0; i < 50; i += 1) refreshSoon(page);
  expect(refresh).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(999);
  expect(refresh).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1);
  expect(refresh).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(5_000);
  expect(refresh).toHaveBeenCalledTimes(2);
});

test('news without end is shown once a second', () => {
  const refresh = vi.fn();
  const page = { refresh };
  for (let i = 0; i < 99; i += 1) {
    refreshSoon(page);
    vi.advanceTimersByTime(100);
  }
  expect(refresh).toHaveBeenCalledTimes(10);
});
