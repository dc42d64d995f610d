import { afterEach, expect, test, vi } from 'vitest';
import { dateFormat, exactTime, formatSince, formatTime } from '#app/lib/format-time.ts';

const NOW = Date.parse('2026-11-21T14:00:00Z');

afterEach(() => vi.restoreAllMocks());

test('list rows reuse formats and create none', () => {
  const show = (row: number) => {
    const at = new Date(NOW - row * 86_400_000);
    formatTime(at, NOW, 'UTC', 'lists');
    formatSince(at, NOW, 'UTC');
    exactTime(at, 'UTC');
  };
  for (const row of [0, 100, 399]) show(row);
  const formatConstructor = vi.spyOn(Intl, 'DateTimeFormat');
  for (let row = 0; row < 400; row += 1) show(row);
  expect(formatConstructor).not.toHaveBeenCalled();
});

test('caches formats by options and time zone', () => {
  const at = new Date('2026-11-20T23:30:00Z');
  expect(dateFormat('UTC', { month: 'short' }).format(at)).toBe('Nov');
  expect(dateFormat('UTC', { month: 'long' }).format(at)).toBe('November');
  expect(dateFormat('UTC', { day: 'numeric' }).format(at)).toBe('20');
  expect(dateFormat('Europe/Berlin', { day: 'numeric' }).format(at)).toBe('21');
});
