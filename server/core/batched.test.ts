import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { batched } from '#server/core/batched.ts';

/** A batch whose runs are recorded and finish when they are released. */
function heldBatch(max = 100) {
  const runs: number[][] = [];
  const open: (() => void)[] = [];
  const request = batched(async (requests: number[]) => {
    runs.push(requests);
    await new Promise<void>((resolve) => open.push(resolve));
    return new Map(requests.map((each) => [each, each * 2]));
  }, max);
  const release = async () => {
    open.shift()?.();
    for (let turn = 0; turn < 3; turn += 1) await nextTurn();
  };
  return { request, runs, release };
}

test('requests of one turn share a run, and requests during a run share the next one', async () => {
  const { request, runs, release } = heldBatch();
  const first = [request(1), request(2)];
  await nextTurn();
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

test('requests that exceed the limit of a run are served by the next one, in the order of arrival', async () => {
  const { request, runs, release } = heldBatch(2);
  const all = [1, 2, 3, 4, 5].map(request);
  for (let run = 0; run < 4; run += 1) await release();
  expect(await Promise.all(all)).toEqual([2, 4, 6, 8, 10]);
  expect(runs).toEqual([[1, 2], [3, 4], [5]]);
});

test('a failed run fails its requests, and later ones are served', async () => {
  let isBroken = true;
  const request = batched(async (requests: number[]) => {
    if (isBroken) throw new Error('down');
    return new Map(requests.map((each) => [each, each]));
  }, 100);
  const failing = Promise.allSettled([request(1), request(2)]);
  expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isBroken = false;
  expect(await request(3)).toBe(3);
});
