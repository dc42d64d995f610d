import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { withMailPermit } from '#server/inbox/incoming-mail/mail-permit.ts';

/** Starts works of these sizes, in MB, and ends them one by one. Returns the sizes in work after each start. */
async function inWork(sizes: number[]): Promise<number[][]> {
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
  for (let ended = 0; ended < sizes.length; ended += 1) {
    await turn();
    seen.push(running.map(({ size }) => size));
    running.shift()?.end();
  }
  await Promise.all(all);
  return seen;
}

test('an attacker who sends mails of 25 MB has a worker hold one of them in memory, beside small ones', async () => {
  const seen = await inWork([25, 25, 0.1, 25, 0.1]);
  expect(seen.every((sizes) => sizes.filter((size) => size === 25).length <= 1)).toBe(true);
  expect(seen[1]).toEqual([25, 0.1]);
});

test('a mail beyond the budget is read, alone', async () => {
  expect(await inWork([50, 50])).toEqual([[50], [50]]);
});

test('four mails are read at the same time, and the others wait in their order', async () => {
  expect((await inWork([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])).slice(0, 2)).toEqual([
    [0.1, 0.2, 0.3, 0.4],
    [0.2, 0.3, 0.4, 0.5],
  ]);
});
