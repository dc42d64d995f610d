import { beforeEach, expect, test } from 'vitest';
import {
  countStarts,
  isShared,
  learnPace,
  makePace,
  nextStart,
  type PacedHook,
  restMs,
  throttle,
} from '#server/automation/deliveries/pace.ts';
import { settings } from '#server/core/env.ts';
import { setTestSettings } from '#test/servers/settings.ts';

beforeEach(() => setTestSettings());

const first = { hookId: 'first', connectionId: 'one' };
const second = { hookId: 'second', connectionId: 'one' };
const unrelated = { hookId: 'unrelated', connectionId: 'other' };
const FREE = { waitMs: 0, together: Number.POSITIVE_INFINITY };

test('a hook without a pace starts everything', () => {
  const pace = makeClockedPace();
  pace.started(first, 500);
  expect(pace.next(first)).toEqual(FREE);
});

test('a throttled hook starts one attempt every 50 ms, until a minute has passed without another 429', () => {
  const pace = makeClockedPace();
  pace.throttle(first);
  expect(pace.next(first)).toEqual({ waitMs: 50, together: 1 });
  pace.advance(50);
  expect(pace.next(first)).toEqual({ waitMs: 0, together: 1 });
  pace.started(first, 1);
  expect(pace.next(first).waitMs).toBe(50);
  expect(pace.next(second)).toEqual(FREE);
  pace.advance(59_000);
  pace.throttle(first);
  pace.advance(59_000);
  expect(pace.next(first).together).toBeLessThanOrEqual(5);
  pace.advance(1_001);
  expect(pace.next(first)).toEqual(FREE);
});

test('two hooks of a connection throttled within a minute make all of its hooks share one pace', () => {
  const pace = makeClockedPace();
  pace.throttle(first);
  expect(pace.isShared('one')).toBe(false);
  pace.throttle(second);
  expect(pace.isShared('one')).toBe(true);
  pace.advance(50);
  const third = { hookId: 'third', connectionId: 'one' };
  expect(pace.next(third).waitMs).toBe(0);
  pace.started(third, 1);
  for (const hook of [first, second, third]) expect(pace.next(hook).waitMs).toBe(50);
  expect(pace.next(unrelated)).toEqual(FREE);
});

test('one hook throttled twice, or two more than a minute apart, share no pace', () => {
  const pace = makeClockedPace();
  pace.throttle(first);
  pace.throttle(first);
  expect(pace.isShared('one')).toBe(false);
  pace.advance(61_000);
  pace.throttle(second);
  expect(pace.isShared('one')).toBe(false);
});

test('a worker that serves half of a connection’s hooks gets half of their pace', () => {
  const pace = makeClockedPace();
  pace.learn(first, { throttledAgo: null, startsInMs: 0, sharedFor: 30, share: 0.5 });
  pace.started(first, 1);
  expect(pace.next(second).waitMs).toBeGreaterThan(0);
  pace.advance(100);
  expect(pace.next(second).waitMs).toBe(0);
  pace.started(second, 1);
  expect(pace.next(first).waitMs).toBe(100);
});

test('the state from another worker applies: time since the 429, and time until the next start', () => {
  const pace = makeClockedPace();
  pace.learn(first, { throttledAgo: 59, startsInMs: 30, sharedFor: null, share: 1 });
  expect(pace.next(first)).toEqual({ waitMs: 30, together: 1 });
  expect(pace.restMs(first)).toBe(30);
  pace.advance(1_001);
  expect(pace.next(first)).toEqual(FREE);
  expect(pace.restMs(first)).toBeNull();
});

test('a fast fixed pace starts several attempts together, a slow pace one at a time', () => {
  Object.assign(settings(), { HOOK_MAX_PER_SECOND: 500 });
  const pace = makeClockedPace();
  expect(pace.next(first)).toEqual({ waitMs: 0, together: 10 });
  Object.assign(settings(), { HOOK_MAX_PER_SECOND: 1 });
  expect(pace.next(first).together).toBe(1);
});

test('starts delayed by a busy machine are made up for, at most five together', () => {
  const pace = makeClockedPace();
  pace.throttle(first);
  pace.advance(50 + 120);
  expect(pace.next(first)).toEqual({ waitMs: 0, together: 3 });
  pace.started(first, 3);
  expect(pace.next(first).waitMs).toBe(30);
  pace.advance(5_000);
  expect(pace.next(first).together).toBe(5);
});

/** Creates a pace with a clock that stands still until it is advanced. */
function makeClockedPace() {
  const pace = makePace();
  let now = 10_000;
  return {
    advance(ms: number): void {
      now += ms;
    },
    learn: (hook: PacedHook, known: Parameters<typeof learnPace>[2]) => learnPace(pace, hook, known, now),
    throttle: (hook: PacedHook) => throttle(pace, hook, now),
    started: (hook: PacedHook, count: number) => countStarts(pace, hook, count, now),
    next: (hook: PacedHook) => nextStart(pace, hook, now),
    isShared: (connectionId: string) => isShared(pace, connectionId, now),
    restMs: ({ hookId }: PacedHook) => restMs(pace, hookId, now),
  };
}
