import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { batchPerTurn } from '#server/core/database/batch.ts';

/** Doubles numbers, and records its batches. */
function doubling() {
  const batches: number[][] = [];
  const double = batchPerTurn(async (numbers: number[]) => {
    batches.push(numbers);
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
