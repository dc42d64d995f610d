import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { processDue } from '#server/core/database/process-due.ts';
import { setTestSettings } from '#test/servers/settings.ts';

beforeEach(() => setTestSettings());

/** What is due, in order; those in `broken` fail each time they are tried. `tried` is what was tried, in order. */
function dueOnes(ids: string[], broken: string[] = []) {
  const left = new Set(ids);
  const tried: string[] = [];
  const name = `test.failed_${randomUUID()}`;
  const run = (batch: number, goOnForMs?: number) =>
    processDue(name, {
      find: async (limit, passedOver) =>
        [...left]
          .filter((id) => !passedOver.includes(id))
          .slice(0, limit)
          .map((id) => ({ id })),
      work: async ({ id }) => {
        tried.push(id);
        if (broken.includes(id)) throw new Error('Always.');
        return left.delete(id);
      },
      batch,
      ...(goOnForMs === undefined ? {} : { goOnForMs }),
    });
  return { left, tried, run };
}

test('more than a batch that fail each time hold up none of those behind them', async () => {
  const due = dueOnes(['b1', 'b2', 'b3', 'a', 'c'], ['b1', 'b2', 'b3']);
  expect(await due.run(2)).toBe(2);
  expect([...due.left]).toEqual(['b1', 'b2', 'b3']);
});

test('what failed comes last the next time, also when there is time for hardly anything', async () => {
  const due = dueOnes(['b1', 'b2'], ['b1', 'b2']);
  await due.run(2);
  due.left.add('a').add('c');
  due.tried.length = 0;
  await due.run(2);
  expect(due.tried).toEqual(['a', 'c', 'b1', 'b2']);
});

test('what failed is tried again, and done once it works', async () => {
  const broken = ['b1'];
  const due = dueOnes(['b1', 'a'], broken);
  expect(await due.run(10)).toBe(1);
  broken.length = 0;
  expect(await due.run(10)).toBe(1);
  expect([...due.left]).toEqual([]);
});

test('what is found and not due any more is not asked for again and again', async () => {
  let asked = 0;
  const done = await processDue('test.not_due', {
    find: async (limit, passedOver) => {
      asked += 1;
      return ['a', 'b', 'c']
        .filter((id) => !passedOver.includes(id))
        .slice(0, limit)
        .map((id) => ({ id }));
    },
    work: async () => false,
    batch: 1,
  });
  expect([done, asked]).toEqual([0, 4]);
});

test('nothing is begun once the time is up', async () => {
  const due = dueOnes(['a']);
  expect(await due.run(1, -1)).toBe(0);
  expect(due.tried).toEqual([]);
});
