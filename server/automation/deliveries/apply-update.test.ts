import { beforeEach, describe, expect, test } from 'vitest';
import {
  DELIVERED,
  dueDelivery,
  dueHook,
  makeWorker,
  statementOf,
  TIMED_OUT,
} from '#test/fixtures/delivery-worker.ts';
import { setTestSettings } from '#test/servers/settings.ts';

beforeEach(() => setTestSettings());

describe('the delivery of a fan-out', () => {
  test('replaces the read of a hook that is new in the queue', () => {
    const worker = makeWorker();
    worker.fanOut([dueHook('a')]);
    const { starts, statements } = worker.round();
    expect(starts).toMatchObject([{ deliveries: [{ eventId: 'a 0' }] }]);
    expect(statements.some(({ kind }) => kind === 'read')).toBe(false);
  });

  test('replaces the read of a claimed hook whose next addition it is', () => {
    const worker = makeWorker();
    worker.fanOut([dueHook('a')]);
    worker.round();
    worker.end('a 0', null);
    worker.now += 1;
    readAll(worker, { wakes: 0 });
    worker.fanOut([dueHook('a', { wakes: 1 })]);
    expect(worker.start()).toMatchObject([{ deliveries: [{ eventId: 'a 0' }] }]);
  });

  test.for([
    ['with another addition', { wakes: 2 }, 0],
    ['whose last read is a second old', { wakes: 1 }, 1_000],
    ['whose connection shares a pace', { wakes: 1, sharedFor: 30 }, 0],
  ] as const)('replaces no read of a hook %s', ([_what, changed, agedMs]) => {
    const worker = makeWorker();
    worker.claim(['a']);
    readAll(worker, { wakes: 0 });
    worker.now += agedMs;
    worker.fanOut([dueHook('a', changed)]);
    const round = worker.round();
    expect(round.starts).toEqual([]);
    expect(statementOf(round, 'read')?.hooks).toHaveLength(1);
  });

  test('replaces no read while the hook has attempts in flight or more to send, or a read is running', () => {
    const busy = makeWorker();
    busy.send('a', 1);
    const withMore = makeWorker();
    withMore.fanOut([dueHook('a')]);
    withMore.round();
    withMore.end('a 0', null);
    const reading = makeWorker();
    reading.claim(['other']);
    reading.round();
    for (const worker of [busy, withMore, reading]) {
      worker.fanOut([dueHook('a', { wakes: (worker.hook('a')?.wakes ?? -1) + 1 })]);
      expect(worker.hook('a')?.due).toBe('more');
      expect(worker.start()).toEqual([]);
    }
  });

  test('waits for deliveries that were read and have not started, so that ten stay the limit', () => {
    const worker = makeWorker({ fast: 20, slow: 1 });
    worker.claim(['a']);
    const by = worker.statement('read');
    const due = Array.from({ length: 10 }, (_, n) => dueDelivery(`a ${n}`));
    if (by) worker.update({ kind: 'read', by, result: [dueHook('a', { due })] });
    worker.fanOut([dueHook('a', { wakes: 1, due: [dueDelivery('a 10')] })]);
    worker.round();
    expect(worker.hook('a')).toMatchObject({ sending: 10, due: 'more', busy: null });
  });

  test('waits without room, and is then read', () => {
    const worker = makeWorker({ fast: 1, slow: 1 });
    worker.send('a', 1);
    worker.fanOut([dueHook('b')]);
    expect(worker.start()).toMatchObject([{ deliveries: [], isLeft: true }]);
    worker.end('a 0', DELIVERED);
    expect(worker.statement('read')?.hooks).toMatchObject([{ hookId: 'b', most: 1 }]);
  });
});

describe('a result under an earlier claim or lease changes nothing', () => {
  test('of a read', () => {
    const worker = makeWorker();
    worker.claim(['a']);
    const by = worker.statement('read');
    worker.update({ kind: 'leaseLost' });
    worker.update({ kind: 'leased', leaseId: 'lease' });
    worker.claim(['a']);
    if (by) worker.update({ kind: 'read', by, result: [dueHook('a')] });
    expect(worker.hook('a')).toMatchObject({ claim: 2, due: 'more' });
    expect(worker.start()).toEqual([]);
  });

  test('of a read, when the lease is lost before its deliveries start', () => {
    const worker = makeWorker();
    worker.claim(['a']);
    const by = worker.statement('read');
    if (by) worker.update({ kind: 'read', by, result: [dueHook('a')] });
    worker.update({ kind: 'leaseLost' });
    expect(worker.start()).toMatchObject([{ deliveries: [], isLeft: false, ends: false }]);
  });

  test('of a fan-out and a claim', () => {
    const worker = makeWorker();
    worker.update({ kind: 'leased', leaseId: 'another lease' });
    worker.fanOut([dueHook('a')]);
    worker.claim(['b']);
    expect([...worker.state.hooks]).toEqual([]);
  });

  test('of a release after which the hook was claimed again', () => {
    const worker = makeWorker();
    worker.claim(['a']);
    readAll(worker, {});
    worker.now += 250;
    const by = worker.statement('release');
    worker.claim(['a']);
    if (by) worker.update({ kind: 'released', by, result: [{ hookId: 'a', dueInMs: null }] });
    expect(worker.hook('a')).toMatchObject({ claim: 1, due: 'more', busy: null });
  });
});

describe('a failed statement is repeated after a pause', () => {
  test('of 100 ms: a fan-out, before which hooks are claimed', () => {
    const worker = makeWorker();
    const by = worker.statement('fanOut');
    if (by) worker.update({ kind: 'fannedOut', by, result: null });
    expect(worker.round()).toMatchObject({ statements: [], wakeAt: worker.now + 100 });
    worker.now += 100;
    expect(worker.round().statements).toMatchObject([{ kind: 'claim' }]);
  });

  test('of 250 ms: a read', () => {
    const worker = makeWorker();
    worker.claim(['a']);
    const by = worker.statement('read');
    if (by) worker.update({ kind: 'read', by, result: null });
    expect(worker.round().wakeAt).toBe(worker.now + 250);
    worker.now += 250;
    expect(worker.statement('read')?.hooks).toMatchObject([{ hookId: 'a' }]);
  });

  test('none: a release, before which the hook is read again', () => {
    const worker = makeWorker();
    worker.claim(['a']);
    readAll(worker, {});
    worker.now += 250;
    const by = worker.statement('release');
    if (by) worker.update({ kind: 'released', by, result: null });
    expect(worker.statement('read')?.hooks).toMatchObject([{ hookId: 'a' }]);
  });

  test('of a second: the end of a hook', () => {
    const worker = makeWorker();
    worker.claim(['a']);
    const hook = readAll(worker, { isLive: false })[0];
    if (hook) worker.update({ kind: 'ended', hook, isDone: false });
    expect(worker.round().wakeAt).toBe(worker.now + 1_000);
  });

  test('of a minute: a delivery whose attempt could not be recorded', () => {
    const worker = makeWorker();
    worker.send('a', 1);
    worker.end('a 0', DELIVERED);
    const attempt = worker.statement('record')?.attempts[0];
    if (attempt) worker.update({ kind: 'recorded', result: new Map([[attempt, null]]) });
    expect(worker.round().wakeAt).toBe(worker.now + 60_000);
    expect(worker.hook('a')?.inFlight.size).toBe(1);
    worker.now += 60_000;
    worker.round();
    expect(worker.hook('a')?.inFlight.size).toBe(0);
  });
});

test('a released hook is claimed at the time of its retry', () => {
  const worker = makeWorker();
  worker.claim(['a']);
  readAll(worker, {});
  worker.fanOut([]);
  const claim = worker.statement('claim');
  if (claim) worker.update({ kind: 'claimed', by: claim, result: [] });
  worker.now += 250;
  const by = worker.statement('release');
  if (by) worker.update({ kind: 'released', by, result: [{ hookId: 'a', dueInMs: 30 }] });
  expect(worker.hook('a')?.claim).toBeNull();
  expect(worker.round()).toMatchObject({ statements: [], wakeAt: worker.now + 30 });
  worker.now += 30;
  expect(statementOf(worker.round(), 'claim')).toBeDefined();
});

test('hooks that were throttled share the pace of their connection once, after their attempts are recorded', () => {
  const worker = makeWorker();
  worker.send('a', 1);
  worker.end('a 0', { kind: 'throttled', response: { statusCode: 429, excerpt: '', retryAfter: null } });
  const plan = worker.round();
  expect(statementOf(plan, 'sharePace')).toBeUndefined();
  const attempt = statementOf(plan, 'record')?.attempts[0];
  if (attempt) worker.update({ kind: 'recorded', result: new Map([[attempt, true]]) });
  expect(worker.statement('sharePace')).toEqual({ kind: 'sharePace', hookIds: ['a'] });
  worker.update({ kind: 'paceShared' });
  expect(worker.statement('sharePace')).toBeUndefined();
});

describe('a hook is read again', () => {
  test('after a delivery that was not sent', () => {
    const worker = makeWorker();
    worker.send('a', 1);
    worker.end('a 0', null);
    expect(worker.hook('a')).toMatchObject({ due: 'more', sending: 0 });
    expect(worker.hook('a')?.inFlight.size).toBe(0);
  });

  test.for([
    [0, 'more'],
    [30, 'none'],
  ] as const)('immediately after an attempt whose retry is due in %i s: %s', ([delaySeconds, due]) => {
    const worker = makeWorker();
    worker.send('a', 1);
    worker.end('a 0', TIMED_OUT, { kind: 'retry', delaySeconds });
    const attempt = worker.statement('record')?.attempts[0];
    if (attempt) worker.update({ kind: 'recorded', result: new Map([[attempt, true]]) });
    expect(worker.hook('a')?.due).toBe(due);
  });

  test('for a wake-up during a read, and not before the read has returned', () => {
    const worker = makeWorker();
    worker.claim(['a']);
    const by = worker.statement('read');
    worker.update({ kind: 'hookChanged', hookId: 'a' });
    expect(worker.statement('read')).toBeUndefined();
    if (by) worker.update({ kind: 'read', by, result: [dueHook('a', { due: [] })] });
    expect(worker.statement('read')?.hooks).toMatchObject([{ hookId: 'a' }]);
  });

  test('for a wake-up while its deliveries are cancelled, and not before they are', () => {
    const worker = makeWorker();
    worker.claim(['a']);
    const hook = readAll(worker, { isLive: false })[0];
    worker.update({ kind: 'hookChanged', hookId: 'a' });
    expect(worker.statement('read')).toBeUndefined();
    if (hook) worker.update({ kind: 'ended', hook, isDone: true });
    expect(worker.statement('read')?.hooks).toMatchObject([{ hookId: 'a' }]);
  });
});

test.for([
  [199, false],
  [200, true],
] as const)('after a fan-out of %i events there may be more: %s', ([taken, hasEvents]) => {
  const worker = makeWorker();
  const by = worker.statement('fanOut');
  const result = { taken, made: 0, events: [], hooks: [], unclaimed: 0 };
  if (by) worker.update({ kind: 'fannedOut', by, result });
  expect(worker.state.hasEvents).toBe(hasEvents);
});

/** Runs the read of a worker's hooks, which finds nothing to send, and starts what it found. */
function readAll(worker: ReturnType<typeof makeWorker>, changed: Partial<ReturnType<typeof dueHook>>) {
  const by = worker.statement('read');
  if (!by) throw new Error('There is no read.');
  const result = by.hooks.map(({ hookId }) => dueHook(hookId, { due: [], ...changed }));
  worker.update({ kind: 'read', by, result });
  return worker.start();
}
