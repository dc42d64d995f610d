import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  freeSlots,
  makeRoomCount,
  makeServedHook,
  nextStep,
  type ServedHook,
} from '#server/automation/deliveries/dispatch/next-step.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

describe('a hook', () => {
  test('with more to send is read while it has free slots', () => {
    expect(step({ due: 'more' })).toBe('read');
    expect(step({ due: 'more', inFlight: busy(9) })).toBe('read');
    expect(step({ due: 'more', inFlight: busy(10) })).toBe('wait');
  });

  test('that changed is read even without a free slot', () => {
    expect(step({ due: 'changed', inFlight: busy(10) })).toBe('read');
  });

  test('is not read while 20 results are unrecorded beyond those in flight', () => {
    expect(step({ due: 'more', inFlight: busy(0, 29) })).toBe('read');
    expect(step({ due: 'more', inFlight: busy(0, 30) })).toBe('wait');
    expect(freeSlots({ ...makeServedHook('hook', false), inFlight: busy(4, 25) }, 10)).toBe(1);
  });

  test('is released after 250 ms of idling, and not before its attempts are recorded', () => {
    const idleSince = performance.now();
    vi.advanceTimersByTime(249);
    expect(step({ idleSince })).toBe('wait');
    vi.advanceTimersByTime(1);
    expect(step({ idleSince })).toBe('release');
    expect(step({ idleSince, inFlight: busy(0, 1) })).toBe('wait');
  });

  test('that has found no room for one second is released, unless it has attempts in flight', () => {
    const starvedSince = performance.now();
    vi.advanceTimersByTime(999);
    expect(step({ due: 'more', starvedSince })).toBe('read');
    vi.advanceTimersByTime(1);
    expect(step({ due: 'more', starvedSince })).toBe('release');
    expect(step({ due: 'more', starvedSince, inFlight: busy(1) })).toBe('read');
  });
});

describe('a worker', () => {
  test('with an uncertain lease does nothing', () => {
    for (const due of ['none', 'more', 'changed'] as const) {
      expect(step({ due, idleSince: -1_000 }, { mayStart: false })).toBe('wait');
    }
  });

  test('in shutdown releases a hook once its attempts are recorded and its wake-ups are read', () => {
    expect(step({ due: 'more', inFlight: busy(1) }, { stopping: true })).toBe('wait');
    expect(step({ due: 'changed', inFlight: busy(1) }, { stopping: true })).toBe('wait');
    expect(step({ due: 'more' }, { stopping: true })).toBe('release');
    expect(step({ due: 'changed' }, { stopping: true })).toBe('read');
  });
});

describe('the room of a worker', () => {
  const startMany = (room: ReturnType<typeof makeRoomCount>, hook: ServedHook, count: number) => {
    for (let n = 0; n < count; n += 1) room.start(hook, `${hook.hookId} ${n}`);
  };
  const freeOf = (room: ReturnType<typeof makeRoomCount>) => [room.free('fast'), room.free('slow')];

  test('is occupied until an attempt ends, not until it is recorded', () => {
    const room = makeRoomCount({ fast: 8, slow: 2 });
    const hook = makeServedHook('hook', false);
    startMany(room, hook, 3);
    expect(freeOf(room)).toEqual([5, 2]);
    room.end(hook, 'hook 0');
    expect(freeOf(room)).toEqual([6, 2]);
    expect(hook.inFlight.get('hook 0')).toBe('unrecorded');
  });

  test('follows a hook that becomes slow, then fast again', () => {
    const room = makeRoomCount({ fast: 8, slow: 2 });
    const hook = makeServedHook('hook', false);
    startMany(room, hook, 4);
    room.setSlow(hook, true);
    expect(freeOf(room)).toEqual([8, -2]);
    room.end(hook, 'hook 0');
    expect(freeOf(room)).toEqual([8, -1]);
    room.setSlow(hook, false);
    expect(freeOf(room)).toEqual([5, 2]);
  });

  test('is freed by hooks that have not responded for two seconds', () => {
    const room = makeRoomCount({ fast: 8, slow: 2 });
    const [silent, idle, fresh] = ['silent', 'idle', 'fresh'].map((id) => makeServedHook(id, false));
    if (!silent || !idle || !fresh) throw new Error('There are no hooks.');
    startMany(room, silent, 4);
    vi.advanceTimersByTime(1_999);
    fresh.idleSince = performance.now();
    startMany(room, fresh, 3);
    room.moveHanging([silent, idle, fresh]);
    expect(freeOf(room)).toEqual([1, 2]);
    vi.advanceTimersByTime(1);
    room.moveHanging([silent, idle, fresh]);
    expect(freeOf(room)).toEqual([5, -2]);
    expect([silent.slow, idle.slow, fresh.slow]).toEqual([true, false, false]);
  });
});

function step(
  hook: Partial<ServedHook>,
  worker: Partial<Parameters<typeof nextStep>[1]> = {},
): ReturnType<typeof nextStep> {
  const now = performance.now();
  return nextStep(
    { ...makeServedHook('hook', false), ...hook },
    { mayStart: true, stopping: false, inFlightMax: 10, now, ...worker },
  );
}

function busy(sending: number, unrecorded = 0): ServedHook['inFlight'] {
  return new Map([
    ...Array.from({ length: sending }, (_, n) => [`sending ${n}`, 'sending'] as const),
    ...Array.from({ length: unrecorded }, (_, n) => [`unrecorded ${n}`, 'unrecorded'] as const),
  ]);
}
