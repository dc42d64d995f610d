import { expect, test } from 'vitest';
import { runInOrder } from '#server/http/live/run-in-order.ts';

test('tasks of one key run one after the other, also after one that failed', async () => {
  const run = runInOrder();
  const ran: string[] = [];
  const first = Promise.withResolvers<void>();
  const tasks = [
    run('a', async () => {
      await first.promise;
      ran.push('first');
      throw new Error('It failed.');
    }),
    run('a', async () => void ran.push('second')),
    run('a', async () => void ran.push('third')),
  ];
  first.resolve();
  const outcomes = await Promise.allSettled(tasks);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  expect(ran).toEqual(['first', 'second', 'third']);
});

test('a task that hangs does not delay those of other keys', async () => {
  const run = runInOrder();
  const hanging = Promise.withResolvers<void>();
  const task = run('slow', () => hanging.promise);
  const ran: string[] = [];
  await run('quick', async () => void ran.push('quick'));
  expect(ran).toEqual(['quick']);
  hanging.resolve();
  await task;
});
