import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makePace } from '#server/automation/deliveries/dispatch/pace.ts';
import { settings } from '#server/core/env.ts';
import { setTestSettings } from '#test/servers/settings.ts';

beforeEach(() => {
  setTestSettings();
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => vi.useRealTimers());

const first = { hookId: 'first', connectionId: 'one' };
const second = { hookId: 'second', connectionId: 'one' };
const unrelated = { hookId: 'unrelated', connectionId: 'other' };
const FREE = { waitMs: 0, together: Number.POSITIVE_INFINITY };

test('a hook without a pace starts everything', () => {
  const pace = makePace();
  pace.started(first, 500);
  expect(pace.next(first)).toEqual(FREE);
});

test('a throttled hook starts one attempt every 50 ms, until a minute has passed without another 429', () => {
  const pace = makePace();
  pace.throttle(first);
  expect(pace.next(first)).toEqual({ waitMs: 50, together: 1 });
  vi.advanceTimersByTime(50);
  expect(pace.next(first)).toEqual({ waitMs: 0, together: 1 });
  pace.started(first, 1);
  expect(pace.next(first).waitMs).toBe(50);
  expect(pace.next(second)).toEqual(FREE);
  vi.advanceTimersByTime(59_000);
  pace.throttle(first);
  vi.advanceTimersByTime(59_000);
  expect(pace.next(first).together).toBeLessThanOrEqual(5);
  vi.advanceTimersByTime(1_001);
  expect(pace.next(first)).toEqual(FREE);
});

test('two hooks of a connection throttled within a minute make all of its hooks share one pace', () => {
  const pace = makePace();
  pace.throttle(first);
  expect(pace.isShared('one')).toBe(false);
  pace.throttle(second);
  expect(pace.isShared('one')).toBe(true);
  vi.advanceTimersByTime(50);
  const third = { hookId: 'third', connectionId: 'one' };
  expect(pace.next(third).waitMs).toBe(0);
  pace.started(third, 1);
  for (const hook of [first, second, third]) expect(pace.next(hook).waitMs).toBe(50);
  expect(pace.next(unrelated)).toEqual(FREE);
});

test('one hook throttled twice, or two more than a minute apart, share no pace', () => {
  const pace = makePace();
  pace.throttle(first);
  pace.throttle(first);
  expect(pace.isShared('one')).toBe(false);
  vi.advanceTimersByTime(61_000);
  pace.throttle(second);
  expect(pace.isShared('one')).toBe(false);
});

test('a worker that serves half of a connection’s hooks gets half of their pace', () => {
  const pace = makePace();
  pace.learn(first, { throttledAgo: null, startsInMs: 0, sharedFor: 30, share: 0.5 });
  pace.started(first, 1);
  expect(pace.next(second).waitMs).toBeGreaterThan(0);
  vi.advanceTimersByTime(100);
  expect(pace.next(second).waitMs).toBe(0);
  pace.started(second, 1);
  expect(pace.next(first).waitMs).toBe(100);
});

test('the state from another worker applies: time since the 429, and time until the next start', () => {
  const pace = makePace();
  pace.learn(first, { throttledAgo: 59, startsInMs: 30, sharedFor: null, share: 1 });
  expect(pace.next(first)).toEqual({ waitMs: 30, together: 1 });
  expect(pace.restMs(first)).toBe(30);
  vi.advanceTimersByTime(1_001);
  expect(pace.next(first)).toEqual(FREE);
  expect(pace.restMs(first)).toBeNull();
});

test('a fast fixed pace starts several attempts together, a slow pace one at a time', () => {
  Object.assign(settings(), { HOOK_MAX_PER_SECOND: 500 });
  const pace = makePace();
  expect(pace.next(first)).toEqual({ waitMs: 0, together: 10 });
  Object.assign(settings(), { HOOK_MAX_PER_SECOND: 1 });
  expect(pace.next(first).together).toBe(1);
});

test('starts delayed by a busy machine are made up for, at most five together', () => {
  const pace = makePace();
  pace.throttle(first);
  vi.advanceTimersByTime(50 + 120);
  expect(pace.next(first)).toEqual({ waitMs: 0, together: 3 });
  pace.started(first, 3);
  expect(pace.next(first).waitMs).toBe(30);
  vi.advanceTimersByTime(5_000);
  expect(pace.next(first).together).toBe(5);
});
