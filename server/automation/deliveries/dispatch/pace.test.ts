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
const stranger = { hookId: 'stranger', connectionId: 'other' };
const FREE = { waitMs: 0, together: Number.POSITIVE_INFINITY };

test('a hook without a pace starts whatever there is', () => {
  const pace = makePace();
  pace.started(first, 500);
  expect(pace.next(first)).toEqual(FREE);
});

test('one that was throttled starts one every 50 ms, until a minute has passed without another 429', () => {
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

test('two of a connection that were throttled within a minute share one pace with all of its hooks', () => {
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
  expect(pace.next(stranger)).toEqual(FREE);
});

test('the same hook twice, or two more than a minute apart, share none', () => {
  const pace = makePace();
  pace.throttle(first);
  pace.throttle(first);
  expect(pace.isShared('one')).toBe(false);
  vi.advanceTimersByTime(61_000);
  pace.throttle(second);
  expect(pace.isShared('one')).toBe(false);
});

test('a worker that serves half of a connection’s hooks has half of their pace', () => {
  const pace = makePace();
  pace.learn(first, { throttledAgo: null, startsInMs: 0, sharedFor: 30, part: 0.5 });
  pace.started(first, 1);
  expect(pace.next(second).waitMs).toBeGreaterThan(0);
  vi.advanceTimersByTime(100);
  expect(pace.next(second).waitMs).toBe(0);
  pace.started(second, 1);
  expect(pace.next(first).waitMs).toBe(100);
});

test('what another worker learned is kept: how long ago it was throttled, and when it may start again', () => {
  const pace = makePace();
  pace.learn(first, { throttledAgo: 59, startsInMs: 30, sharedFor: null, part: 1 });
  expect(pace.next(first)).toEqual({ waitMs: 30, together: 1 });
  expect(pace.restMs(first)).toBe(30);
  vi.advanceTimersByTime(1_001);
  expect(pace.next(first)).toEqual(FREE);
  expect(pace.restMs(first)).toBeNull();
});

test('a fast fixed pace starts several at once, a slow one one at a time', () => {
  Object.assign(settings(), { HOOK_MAX_PER_SECOND: 500 });
  const pace = makePace();
  expect(pace.next(first)).toEqual({ waitMs: 0, together: 10 });
  Object.assign(settings(), { HOOK_MAX_PER_SECOND: 1 });
  expect(pace.next(first).together).toBe(1);
});

test('what a busy machine was late is made up for, but not more than a few at once', () => {
  const pace = makePace();
  pace.throttle(first);
  vi.advanceTimersByTime(50 + 120);
  expect(pace.next(first)).toEqual({ waitMs: 0, together: 3 });
  pace.started(first, 3);
  expect(pace.next(first).waitMs).toBe(30);
  vi.advanceTimersByTime(5_000);
  expect(pace.next(first).together).toBe(5);
});
