import { expect, test } from 'vitest';
import { formatClock, formatSpan, formatTarget, mostUrgent } from '#app/lib/format-clock.ts';
import type { ClockView } from '#server/screens/inbox/views.ts';

const NOW = Date.parse('2026-11-21T14:00:00Z');
const MINUTE = 60_000;
const at = (minutes: number) => new Date(NOW + minutes * MINUTE);
const clock = (given: Partial<ClockView>): ClockView => ({
  kind: 'first_response',
  dueAt: at(60),
  pausedAt: null,
  stoppedAt: null,
  breachedAt: null,
  closed: null,
  ...given,
});
const formatted = (given: Partial<ClockView>) => formatClock(clock(given), NOW, 'UTC');

test.each<[string, Partial<ClockView>, ReturnType<typeof formatClock>]>([
  ['is running', { dueAt: at(190) }, { state: 'running', words: 'First response due in 3 h 10 min' }],
  ['is due soon', { dueAt: at(25) }, { state: 'soon', words: 'First response due in 25 min' }],
  [
    'is overdue',
    { kind: 'resolution', dueAt: at(-75) },
    { state: 'overdue', words: 'Resolution overdue since 12:45' },
  ],
  [
    'is overdue since another day',
    { dueAt: at(-24 * 60) },
    { state: 'overdue', words: 'First response overdue since 20 Nov, 14:00' },
  ],
  [
    'is paused, however long ago',
    { kind: 'resolution', dueAt: at(-600), pausedAt: at(-720) },
    { state: 'paused', words: 'Resolution paused, 2 h left' },
  ],
  [
    'was paused while overdue',
    { dueAt: at(-60), pausedAt: at(-30) },
    { state: 'overdue', words: 'First response overdue since 13:00' },
  ],
  [
    'waits for the next business day',
    { dueAt: at(43 * 60 + 30), closed: { from: at(-180), until: at(43 * 60) } },
    { state: 'paused', words: 'First response paused until Mon 09:00' },
  ],
  [
    'waits for the afternoon',
    { dueAt: at(90), closed: { from: at(-30), until: at(60) } },
    { state: 'paused', words: 'First response paused until 15:00' },
  ],
  [
    'waits for the end of the holidays',
    { dueAt: at(9 * 24 * 60), closed: { from: at(-30), until: at(8 * 24 * 60) } },
    { state: 'paused', words: 'First response paused until 29 Nov, 14:00' },
  ],
  [
    'runs until business hours end',
    { dueAt: at(20 * 60), closed: { from: at(1), until: at(19 * 60) } },
    { state: 'running', words: 'First response due in 20 h' },
  ],
  [
    'became overdue before business hours ended',
    { dueAt: at(-60), closed: null },
    { state: 'overdue', words: 'First response overdue since 13:00' },
  ],
  ['was met', { dueAt: at(-60), stoppedAt: at(-90) }, { state: 'met', words: 'First response in time' }],
  [
    'was missed',
    { kind: 'resolution', dueAt: at(-60), stoppedAt: at(-30), breachedAt: at(-60) },
    { state: 'missed', words: 'Resolution was late' },
  ],
])('an SLA clock that %s', (_how, given, expected) => {
  expect(formatted(given)).toEqual(expected);
});

test.each([
  [59_999, 'less than a minute'],
  [MINUTE, '1 min'],
  [60 * MINUTE, '1 h'],
  [24 * 60 * MINUTE, '1 day'],
  [(2 * 24 + 4) * 60 * MINUTE + 59_000, '2 days 4 h'],
])('formats %d ms as %s', (ms, words) => {
  expect(formatSpan(ms)).toBe(words);
});

test.each([-500, 0.2, 25, 60, 61, 190])(
  'a list and the header show the same due time for a target in %d minutes',
  (minutes) => {
    const { state, words } = formatTarget(at(minutes), NOW);
    const header = formatted({ dueAt: at(minutes) });
    expect(header.state).toBe(state);
    expect(header.words).toContain(words);
  },
);

test.each([
  [0, 'overdue', 'overdue'],
  [0.2, 'soon', 'due in less than a minute'],
  [60, 'soon', 'due in 1 h'],
  [61, 'running', 'due in 1 h 1 min'],
])('a target in %d minutes is %s: %s', (minutes, state, words) => {
  expect(formatTarget(at(minutes), NOW)).toEqual({ state, words });
});

test('the most urgent clock is running and due first, and never a stopped one', () => {
  const soon = clock({ dueAt: at(10) });
  const paused = clock({ dueAt: at(5), pausedAt: at(0) });
  const stopped = clock({ dueAt: at(1), stoppedAt: at(0) });
  expect(mostUrgent([clock({}), paused, stopped, soon])).toBe(soon);
  expect(mostUrgent([stopped, paused])).toBe(paused);
  expect(mostUrgent([stopped])).toBeUndefined();
});
