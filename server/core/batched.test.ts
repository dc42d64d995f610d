import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { batched } from '#server/core/batched.ts';

/** A batch whose runs are recorded and finish when they are released. */
function heldBatch(max?: number) {
  const runs: number[][] = [];
  const open: (() => void)[] = [];
  const batch = batched(async (requests: number[]) => {
    runs.push(requests);
    await new Promise<void>((resolve) => open.push(resolve));
    return new Map(requests.map((request) => [request, request * 2]));
  }, max);
  const release = async () => {
    open.shift()?.();
    for (let turn = 0; turn < 3; turn += 1) await nextTurn();
  };
  return { batch, runs, release };
}

test('requests of one turn share a run, and requests during a run share the next one', async () => {
  const { batch, runs, release } = heldBatch();
  const first = [batch.request(1), batch.request(2)];
  await nextTurn();
  const later = [batch.request(3), batch.request(4)];
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
  const { batch, runs, release } = heldBatch(2);
  const all = [1, 2, 3, 4, 5].map(batch.request);
  for (let run = 0; run < 4; run += 1) await release();
  expect(await Promise.all(all)).toEqual([2, 4, 6, 8, 10]);
  expect(runs).toEqual([[1, 2], [3, 4], [5]]);
});

test('a request without a result waits for a run started by another request or a retry, or is withdrawn', async () => {
  let isOpen = false;
  let runs = 0;
  const batch = batched(async (requests: string[]) => {
    runs += 1;
    return new Map(
      requests.filter((request) => isOpen || request === 'free').map((each) => [each, 'served']),
    );
  });
  const waiting = batch.request('waiting');
  const withdrawn = batch.request('withdrawn');
  expect(await batch.request('free')).toBe('served');
  await nextTurn();
  expect(runs).toBe(1);
  batch.withdraw('withdrawn', 'not served');
  expect(await withdrawn).toBe('not served');
  isOpen = true;
  batch.retry();
  expect(await waiting).toBe('served');
  expect(runs).toBe(2);
});

test('a repeated request that is still waiting is served once', async () => {
  const { batch, runs, release } = heldBatch();
  const both = [batch.request(1), batch.request(1)];
  await release();
  await release();
  expect(await Promise.all(both)).toEqual([2, 2]);
  expect(runs).toEqual([[1]]);
});

test('a failed run fails its requests, and later ones are served', async () => {
  let isBroken = true;
  const batch = batched(async (requests: number[]) => {
    if (isBroken) throw new Error('down');
    return new Map(requests.map((request) => [request, request]));
  });
  const failing = Promise.allSettled([batch.request(1), batch.request(2)]);
  expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isBroken = false;
  expect(await batch.request(3)).toBe(3);
});
