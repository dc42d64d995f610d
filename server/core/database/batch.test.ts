import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { batchOneAtATime, batchPerTurn } from '#server/core/database/batch.ts';

/** Doubles numbers, and records its batches. */
function doubling() {
  const batches: number[][] = [];
  const double = batchPerTurn(async (numbers: readonly number[]) => {
    batches.push([...numbers]);
    if (numbers.includes(13)) throw new Error('Not this one.');
    return numbers.map((number) => number * 2);
  });
  return { batches, double };
}

test('requests of one turn of the event loop share a batch, and each gets its own result', async () => {
  const { batches, double } = doubling();
  const later = Promise.resolve().then(() => double(3));
  expect(await Promise.all([double(1), double(2), later])).toEqual([2, 4, 6]);
  expect(batches).toEqual([[1, 2, 3]]);
});

test('a request of the next turn does not wait for a batch in flight', async () => {
  const { batches, double } = doubling();
  const first = double(1);
  await nextTurn();
  expect(await Promise.all([first, double(2)])).toEqual([2, 4]);
  expect(batches).toEqual([[1], [2]]);
});

test('a failed batch fails all of its requests, and no later one', async () => {
  const { double } = doubling();
  const together = await Promise.allSettled([double(1), double(13)]);
  expect(together.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await double(1)).toBe(2);
});

test('a batch has at most 100 requests', async () => {
  const { batches, double } = doubling();
  const numbers = Array.from({ length: 250 }, (_, n) => n + 100);
  expect(await Promise.all(numbers.map(double))).toEqual(numbers.map((number) => number * 2));
  await nextTurn();
  expect(batches.map((all) => all.length).toSorted((a, b) => a - b)).toEqual([50, 100, 100]);
});

/** A batch whose runs are recorded and finish when they are released. */
function heldBatch(max = 100) {
  const runs: number[][] = [];
  const open: (() => void)[] = [];
  const request = batchOneAtATime(async (requests: readonly number[]) => {
    runs.push([...requests]);
    await new Promise<void>((resolve) => open.push(resolve));
    return requests.map((each) => each * 2);
  }, max);
  const release = async () => {
    open.shift()?.();
    for (let turn = 0; turn < 4; turn += 1) await nextTurn();
  };
  return { request, runs, release };
}

test('one at a time: requests of one turn share a batch, and requests during it share the next one', async () => {
  const { request, runs, release } = heldBatch();
  const first = [request(1), request(2)];
  await release();
  const later = [request(3), request(4)];
  await nextTurn();
  expect(runs).toEqual([[1, 2]]);
  await release();
  expect(await Promise.all(first)).toEqual([2, 4]);
  expect(runs).toEqual([
    [1, 2],
    [3, 4],
  ]);
  await release();
  expect(await Promise.all(later)).toEqual([6, 8]);
});

test('one at a time: requests beyond the limit of a batch are served by the next one, in the order of arrival', async () => {
  const { request, runs, release } = heldBatch(2);
  const all = [1, 2, 3, 4, 5].map(request);
  for (let run = 0; run < 4; run += 1) await release();
  expect(await Promise.all(all)).toEqual([2, 4, 6, 8, 10]);
  expect(runs).toEqual([[1, 2], [3, 4], [5]]);
});

test('one at a time: a failed batch fails its requests, and later ones are served', async () => {
  let isBroken = true;
  const request = batchOneAtATime(async (requests: readonly number[]) => {
    if (isBroken) throw new Error('down');
    return [...requests];
  }, 100);
  const failing = Promise.allSettled([request(1), request(2)]);
  expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isBroken = false;
  expect(await request(3)).toBe(3);
});
