import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { refreshSoon } from '#app/components/live/refresh-soon.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.runAllTimers();
  vi.useRealTimers();
});

test('refreshes immediately after a pause', () => {
  const refresh = vi.fn();
  refreshSoon({ refresh });
  expect(refresh).toHaveBeenCalledTimes(1);
});

test('refreshes twice for a burst within a second: at its start and at its end', () => {
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

test('refreshes once a second under continuous changes', () => {
  const refresh = vi.fn();
  const page = { refresh };
  for (let i = 0; i < 99; i += 1) {
    refreshSoon(page);
    vi.advanceTimersByTime(100);
  }
  expect(refresh).toHaveBeenCalledTimes(10);
});
