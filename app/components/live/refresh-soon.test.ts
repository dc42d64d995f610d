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

test('refreshes twice for a burst within a second: at its start and at its end', async () => {
  const refresh = vi.fn();
  const page = { refresh };
  for (let i = 0; i < 50; i += 1) refreshSoon(page);
  expect(refresh).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(999);
  expect(refresh).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(refresh).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(refresh).toHaveBeenCalledTimes(2);
});

test('refreshes once a second under continuous changes', async () => {
  const refresh = vi.fn();
  const page = { refresh };
  for (let i = 0; i < 99; i += 1) {
    refreshSoon(page);
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(refresh).toHaveBeenCalledTimes(10);
});

test('does not interrupt a refresh that takes longer than a second', async () => {
  const ended = vi.fn();
  const refresh = vi.fn(() => new Promise<void>((resolve) => setTimeout(resolve, 1_800)).then(ended));
  const page = { refresh };
  for (let i = 0; i < 90; i += 1) {
    refreshSoon(page);
    await vi.advanceTimersByTimeAsync(100);
    expect(refresh.mock.calls.length - ended.mock.calls.length).toBeLessThanOrEqual(1);
  }
  expect(ended).toHaveBeenCalledTimes(5);
});

test('refreshes again ten seconds after one that never ends', async () => {
  const refresh = vi.fn(() => new Promise<void>(() => undefined));
  const page = { refresh };
  refreshSoon(page);
  refreshSoon(page);
  await vi.advanceTimersByTimeAsync(9_999);
  expect(refresh).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(refresh).toHaveBeenCalledTimes(2);
});
