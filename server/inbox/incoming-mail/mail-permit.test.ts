import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { withMailPermit } from '#server/inbox/incoming-mail/mail-permit.ts';

test('an attacker who sends mails of 25 MB gets only one of them into memory, beside small mails', async () => {
  const seen = await runningSizes([25, 25, 0.1, 25, 0.1]);
  expect(seen.every((sizes) => sizes.filter((size) => size === 25).length <= 1)).toBe(true);
  expect(seen[1]).toEqual([25, 0.1]);
});

test('a mail beyond the budget is read, but alone', async () => {
  expect(await runningSizes([50, 50])).toEqual([[50], [50]]);
});

test('four mails are read in parallel, and the rest wait in order', async () => {
  expect((await runningSizes([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])).slice(0, 2)).toEqual([
    [0.1, 0.2, 0.3, 0.4],
    [0.2, 0.3, 0.4, 0.5],
  ]);
});

/** Starts mails of these sizes, in MB, and finishes them one by one. Returns the running sizes after each step. */
async function runningSizes(sizes: number[]): Promise<number[][]> {
  const running: { size: number; end: () => void }[] = [];
  const seen: number[][] = [];
  const all = sizes.map((size) =>
    withMailPermit(
      size * 1024 * 1024,
      () =>
        new Promise<void>((end) => {
          running.push({ size, end });
        }),
    ),
  );
  for (let finished = 0; finished < sizes.length; finished += 1) {
    await turn();
    seen.push(running.map(({ size }) => size));
    running.shift()?.end();
  }
  await Promise.all(all);
  return seen;
}
