import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { askTogether } from '#server/core/database/ask-together.ts';

/** Doubles numbers, and keeps what it was asked together. */
function doubling() {
  const asked: number[][] = [];
  const double = askTogether(async (numbers: number[]) => {
    asked.push(numbers);
    if (numbers.includes(13)) throw new Error('Not this one.');
    return numbers.map((number) => number * 2);
  });
  return { asked, double };
}

test('what is asked for before the next input is asked together, and each gets its own', async () => {
  const { asked, double } = doubling();
  const later = Promise.resolve().then(() => double(3));
  expect(await Promise.all([double(1), double(2), later])).toEqual([2, 4, 6]);
  expect(asked).toEqual([[1, 2, 3]]);
});

test('what comes after the next input waits for nothing that is under way', async () => {
  const { asked, double } = doubling();
  const first = double(1);
  await turn();
  expect(await Promise.all([first, double(2)])).toEqual([2, 4]);
  expect(asked).toEqual([[1], [2]]);
});

test('one that fails fails those that were asked for with it, and none after', async () => {
  const { double } = doubling();
  const together = await Promise.allSettled([double(1), double(13)]);
  expect(together.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await double(1)).toBe(2);
});

test('at most a hundred are asked together', async () => {
  const { asked, double } = doubling();
  const numbers = Array.from({ length: 250 }, (_, n) => n + 100);
  expect(await Promise.all(numbers.map(double))).toEqual(numbers.map((number) => number * 2));
  await turn();
  expect(asked.map((all) => all.length).toSorted((a, b) => a - b)).toEqual([50, 100, 100]);
});
