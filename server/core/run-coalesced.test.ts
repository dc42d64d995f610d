import { beforeEach, expect, test } from 'vitest';
import { runCoalesced, settleRuns } from '#server/core/run-coalesced.ts';
import { setTestSettings } from '#test/servers/settings.ts';

beforeEach(() => setTestSettings());

/** Work that finishes when it is released, and counts its runs. */
function heldWork() {
  const open: (() => void)[] = [];
  let runs = 0;
  const work = () => {
    runs += 1;
    return new Promise<void>((resolve) => open.push(resolve));
  };
  return { work, runs: () => runs, release: () => open.shift()?.() };
}

test('the first call runs immediately, and calls in the meantime share one more run', async () => {
  const held = heldWork();
  const first = runCoalesced('held', held.work);
  expect(held.runs()).toBe(1);
  const later = Array.from({ length: 50 }, () => runCoalesced('held', held.work));
  expect(held.runs()).toBe(1);
  held.release();
  await first;
  expect(held.runs()).toBe(2);
  held.release();
  await Promise.all(later);
  expect(held.runs()).toBe(2);
});

test('a call during the second run starts a third one', async () => {
  const held = heldWork();
  const first = runCoalesced('held', held.work);
  const second = runCoalesced('held', held.work);
  held.release();
  await first;
  const third = runCoalesced('held', held.work);
  held.release();
  await second;
  expect(held.runs()).toBe(3);
  held.release();
  await third;
  await runCoalesced('held', async () => undefined);
});

test('a failed run does not reject, and the next one runs', async () => {
  let runs = 0;
  const failing = async () => {
    runs += 1;
    throw new Error('unreachable');
  };
  await Promise.all([runCoalesced('failing', failing), runCoalesced('failing', failing)]);
  await runCoalesced('failing', failing);
  expect(runs).toBe(3);
});

test('work that throws synchronously counts as failed', async () => {
  await runCoalesced('throwing', () => {
    throw new Error('synchronous');
  });
  await settleRuns();
  let ran = false;
  await runCoalesced('throwing', async () => {
    ran = true;
  });
  expect(ran).toBe(true);
});

test('different names do not wait for each other', () => {
  const held = heldWork();
  void runCoalesced('one', held.work);
  void runCoalesced('another', held.work);
  expect(held.runs()).toBe(2);
  held.release();
  held.release();
});

test('settling waits for the current run and the next one', async () => {
  const held = heldWork();
  void runCoalesced('held', held.work);
  void runCoalesced('held', held.work);
  let settled = false;
  const settling = settleRuns().then(() => {
    settled = true;
  });
  held.release();
  await new Promise((resolve) => setImmediate(resolve));
  expect([held.runs(), settled]).toEqual([2, false]);
  held.release();
  await settling;
  expect(settled).toBe(true);
});
