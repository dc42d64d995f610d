import { expect, test } from 'vitest';
import { dueHint } from '#app/lib/due-hint.ts';

const NOW = Date.parse('2026-11-21T12:00:00.000Z');
const hintIn = (minutes: number) => dueHint(new Date(NOW + minutes * 60_000), NOW)?.words ?? null;

test('shows SLA targets that are overdue or due within an hour', () => {
  expect(hintIn(-500)).toBe('Overdue');
  expect(hintIn(0)).toBe('Overdue');
  expect(hintIn(0.2)).toBe('Due in 1 min');
  expect(hintIn(25)).toBe('Due in 25 min');
  expect(hintIn(60)).toBe('Due in 60 min');
  expect(hintIn(61)).toBeNull();
});
