import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test, vi } from 'vitest';
import { processDue } from '#server/core/jobs/process-due.ts';
import { setTestSettings } from '#test/servers/settings.ts';

beforeEach(() => setTestSettings());

test('rows that fail, even a whole batch of them, do not delay other rows', async () => {
  const due = dueRows(['a', 'b', 'c', 'd', 'e'], ['a', 'b', 'c']);
  expect(await due.run(2)).toBe(2);
  expect(due.tried).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('the next run tries a failed row again', async () => {
  const broken = ['a'];
  const due = dueRows(['a', 'b'], broken);
  expect(await due.run(10)).toBe(1);
  broken.length = 0;
  expect(await due.run(10)).toBe(1);
  expect([...due.left]).toEqual([]);
});

test('a row that is no longer due is tried once a run', async () => {
  const tried: string[] = [];
  const done = await processDue(`test.not_due_${randomUUID()}`, {
    find: async (limit, after) =>
      ['a', 'b', 'c']
        .filter((id) => id > after)
        .slice(0, limit)
        .map((id) => ({ id })),
    work: async ({ id }) => {
      tried.push(id);
      return false;
    },
    batch: 1,
  });
  expect(done).toBe(0);
  expect(tried).toEqual(['a', 'b', 'c']);
});

test('a run that is out of time starts no further row, and the next one continues there', async () => {
  const due = dueRows(['a', 'b', 'c'], ['a', 'b']);
  const start = performance.now();
  // The second row takes longer than the run.
  vi.spyOn(performance, 'now').mockImplementation(() => start + (due.tried.includes('b') ? 60_000 : 0));
  expect(await due.run(10)).toBe(0);
  vi.restoreAllMocks();
  expect(due.tried).toEqual(['a', 'b']);
  expect(await due.run(10)).toBe(1);
  expect(due.tried).toEqual(['a', 'b', 'c']);
  expect(await due.run(10)).toBe(0);
  expect(due.tried).toEqual(['a', 'b', 'c', 'a', 'b']);
});

/** Due rows; those in `broken` fail. `tried` lists the attempted rows, in order. */
function dueRows(ids: string[], broken: string[] = []) {
  const left = new Set(ids);
  const tried: string[] = [];
  const name = `test.failed_${randomUUID()}`;
  const run = (batch: number, runMs?: number) =>
    processDue(name, {
      find: async (limit, after) =>
        [...left]
          .filter((id) => id > after)
          .sort()
          .slice(0, limit)
          .map((id) => ({ id })),
      work: async ({ id }) => {
        tried.push(id);
        if (broken.includes(id)) throw new Error('Always.');
        return left.delete(id);
      },
      batch,
      ...(runMs === undefined ? {} : { runMs }),
    });
  return { left, tried, run };
}
