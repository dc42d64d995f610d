import { beforeEach, describe, expect, test } from 'vitest';
import type { DueHook } from '#server/automation/deliveries/hook-queue.ts';
import { freeSlots, nextStep } from '#server/automation/deliveries/plan-round.ts';
import { makeHook, type ServedHook } from '#server/automation/deliveries/served-hook.ts';
import { DELIVERED, dueHook, makeWorker, statementOf, TIMED_OUT } from '#test/fixtures/delivery-worker.ts';
import { setTestSettings } from '#test/servers/settings.ts';

beforeEach(() => setTestSettings());

const NOW = 10_000;

describe('the next step of a hook', () => {
  test.for<[string, 'read' | 'wait' | 'release', Partial<ServedHook>]>([
    ['with more to send', 'read', { due: 'more' }],
    ['with more to send and a free slot', 'read', { due: 'more', ...busy(9) }],
    ['with more to send and no free slot', 'wait', { due: 'more', ...busy(10) }],
    ['that changed, without a free slot', 'read', { due: 'changed', ...busy(10) }],
    ['with 19 unrecorded results beyond those in flight', 'read', { due: 'more', ...busy(0, 29) }],
    ['with 20 unrecorded results beyond those in flight', 'wait', { due: 'more', ...busy(0, 30) }],
    ['that is idle for less than 250 ms', 'wait', { idleSince: NOW - 249 }],
    ['that is idle for 250 ms', 'release', { idleSince: NOW - 250 }],
    ['that is idle, with an unrecorded result', 'wait', { idleSince: NOW - 250, ...busy(0, 1) }],
    ['without room for less than a second', 'read', { due: 'more', starvedSince: NOW - 999 }],
    ['without room for a second', 'release', { due: 'more', starvedSince: NOW - 1_000 }],
    ['without room, with attempts in flight', 'read', { due: 'more', starvedSince: NOW - 1_000, ...busy(1) }],
  ])('%s: %s', ([, expected, hook]) => expect(step(hook)).toBe(expected));

  test.for<[string, 'read' | 'wait' | 'release', Partial<ServedHook>]>([
    ['with attempts in flight', 'wait', { due: 'more', ...busy(1) }],
    ['that changed, with attempts in flight', 'wait', { due: 'changed', ...busy(1) }],
    ['with more to send', 'release', { due: 'more' }],
    ['that changed, as only a read finds its number of wakes', 'read', { due: 'changed' }],
  ])('in shutdown, %s: %s', ([, expected, hook]) => expect(step(hook, { stopping: true })).toBe(expected));

  test('counts the attempts that may start', () => {
    expect(freeSlots(busy(4, 25), 10)).toBe(1);
    expect(freeSlots(busy(10), 10)).toBe(0);
  });
});

describe('a round', () => {
  test('with an uncertain lease starts nothing and still records', () => {
    const worker = makeWorker();
    worker.send('a', 1);
    worker.end('a 0', DELIVERED);
    worker.claim(['b']);
    worker.fanOut([]);
    worker.mayStart = false;
    expect(kinds(worker.plan())).toEqual(['record']);
    worker.mayStart = true;
    expect(kinds(worker.plan())).toEqual(['record', 'claim', 'read']);
  });

  test('in shutdown claims nothing', () => {
    const worker = makeWorker();
    worker.claim(['a']);
    worker.update({ kind: 'stopping' });
    expect(kinds(worker.plan())).toEqual(['release']);
  });

  test('starts no statement of a kind that is running, and does not wait for other kinds', () => {
    const worker = makeWorker();
    worker.send('a', 2);
    worker.end('a 0', DELIVERED);
    worker.fanOut([]);
    expect(kinds(worker.round())).toEqual(['record', 'claim']);
    worker.end('a 1', DELIVERED);
    worker.claim(['b']);
    expect(kinds(worker.round())).toEqual(['read']);
    expect(kinds(worker.round())).toEqual([]);
  });

  test('promises the same room to a fan-out or to a claim, and alternates between them', () => {
    const worker = makeWorker();
    expect(worker.round().statements).toEqual([{ kind: 'fanOut', leaseId: 'lease', hooks: 8 }]);
    worker.update({ kind: 'eventsQueued' });
    expect(kinds(worker.round())).toEqual([]);
    worker.fanOut([]);
    const claim = { kind: 'claim', leaseId: 'lease', limits: { fast: 8, slow: 2 }, served: [] } as const;
    expect(worker.round().statements).toEqual([claim]);
    worker.update({ kind: 'claimed', by: { ...claim, served: [] }, result: [] });
    expect(kinds(worker.round())).toEqual(['fanOut']);
  });

  test('promises no room that a hook waits for', () => {
    const worker = makeWorker();
    worker.claim(['a', 'b']);
    worker.claim(['c'], { slow: true });
    expect(worker.statement('fanOut')).toMatchObject({ hooks: 6 });
    worker.fanOut([]);
    expect(worker.statement('claim')).toMatchObject({
      limits: { fast: 6, slow: 1 },
      served: ['a', 'b', 'c'],
    });
  });

  test('reads all hooks in one statement, shares the room between them, and skips attempts in flight', () => {
    const worker = makeWorker();
    worker.send('a', 2);
    worker.claim(['b', 'c', 'a']);
    expect(worker.statement('read')?.hooks.map(({ hookId, most, busy }) => [hookId, most, busy])).toEqual([
      ['a', 2, ['a 0', 'a 1']],
      ['b', 2, []],
      ['c', 2, []],
    ]);
  });

  test('without room reads only hooks that changed', () => {
    const worker = makeWorker({ fast: 2, slow: 1 });
    worker.send('a', 2);
    worker.claim(['b', 'c']);
    worker.update({ kind: 'hookChanged', hookId: 'c' });
    expect(worker.statement('read')?.hooks).toMatchObject([{ hookId: 'c', most: 0 }]);
    expect(worker.hook('b')?.starvedSince).toBe(worker.now);
  });

  test('starts one attempt at a time for hooks that share the pace of their connection', () => {
    const worker = makeWorker();
    const paced = { connectionId: 'connection', sharedFor: 30, sharers: 2, due: [] };
    worker.claim(['a', 'b']);
    const by = worker.statement('read');
    if (!by) throw new Error('There is no read.');
    const result = ['a', 'b'].map((hookId) => dueHook(hookId, { ...paced, more: true }));
    worker.update({ kind: 'read', by, result });
    expect(worker.statement('read')?.hooks).toMatchObject([{ hookId: 'a', most: 1 }]);
  });

  test('wakes the worker when a paced hook may start, and not before', () => {
    const worker = makeWorker();
    worker.claim(['a']);
    const by = worker.statement('read');
    if (!by) throw new Error('There is no read.');
    worker.update({ kind: 'read', by, result: [dueHook('a', { startsInMs: 40, throttledAgo: 1 })] });
    const { starts, statements, wakeAt } = worker.round();
    expect(starts).toMatchObject([{ deliveries: [], isLeft: true }]);
    expect([statements.some(({ kind }) => kind === 'read'), wakeAt]).toEqual([false, worker.now + 40]);
    worker.now += 40;
    expect(worker.statement('read')).toBeDefined();
  });

  test.for<[string, Partial<DueHook>]>([
    ['removed', { isLive: false }],
    ['of a teammate who left', { role: null }],
    ['of a teammate who may no longer connect', { role: 'agent' }],
  ])('ends a hook that was read: %s', ([_what, changed]) => {
    const worker = makeWorker();
    worker.claim(['a']);
    const by = worker.statement('read');
    if (!by) throw new Error('There is no read.');
    worker.update({ kind: 'read', by, result: [dueHook('a', changed)] });
    expect(worker.round().starts).toMatchObject([{ deliveries: [], ends: true }]);
    expect(worker.hook('a')?.busy).toBe('ending');
  });

  test('releases a starved hook at its number of wakes', () => {
    const worker = makeWorker({ fast: 1, slow: 1 });
    worker.send('a', 1);
    worker.claim(['b']);
    worker.round();
    worker.now += 1_000;
    const { wakes, isStarved } = statementOf(worker.round(), 'release')?.hooks[0] ?? {};
    expect([wakes, isStarved]).toEqual([-1, true]);
  });
});

describe('the room of a worker', () => {
  test('is occupied until an attempt ends, not until it is recorded', () => {
    const worker = makeWorker();
    worker.send('a', 3);
    expect(worker.free()).toEqual([5, 2]);
    worker.end('a 0', DELIVERED);
    expect(worker.free()).toEqual([6, 2]);
    expect(worker.hook('a')?.inFlight.get('a 0')).toBe('unrecorded');
  });

  test('follows a hook that becomes slow, then fast again', () => {
    const worker = makeWorker();
    worker.send('a', 4);
    worker.end('a 0', TIMED_OUT);
    expect(worker.free()).toEqual([8, -1]);
    worker.end('a 1', DELIVERED);
    expect(worker.free()).toEqual([6, 2]);
  });

  test('is freed by hooks that have not responded for two seconds, all at the same tick', () => {
    const worker = makeWorker();
    worker.send('silent', 4);
    worker.now += 1_999;
    worker.send('fresh', 3);
    worker.update({ kind: 'tick', polls: false });
    expect(worker.free()).toEqual([1, 2]);
    worker.now += 1;
    worker.update({ kind: 'tick', polls: false });
    expect(worker.free()).toEqual([5, -2]);
    expect([worker.hook('silent')?.slow, worker.hook('fresh')?.slow]).toEqual([true, false]);
  });
});

function step(hook: Partial<ServedHook>, { stopping = false } = {}): ReturnType<typeof nextStep> {
  return nextStep({ ...makeHook('hook', false, NOW), ...hook }, { stopping, inFlightMax: 10, now: NOW });
}

function busy(sending: number, unrecorded = 0): Pick<ServedHook, 'inFlight' | 'sending'> {
  const inFlight = new Map([
    ...Array.from({ length: sending }, (_, n) => [`sending ${n}`, 'sending'] as const),
    ...Array.from({ length: unrecorded }, (_, n) => [`unrecorded ${n}`, 'unrecorded'] as const),
  ]);
  return { inFlight, sending };
}

const kinds = ({ statements }: { statements: { kind: string }[] }) => statements.map(({ kind }) => kind);
