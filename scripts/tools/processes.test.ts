import { expect, it } from 'vitest';
import { commandOf, isAlive } from '#scripts/tools/processes.ts';

it('tells the command of a living process, and none of an unused number', async () => {
  expect(await commandOf(process.pid)).toContain('node');
  expect(isAlive(process.pid)).toBe(true);
  expect(await commandOf(2 ** 30)).toBeUndefined();
  expect(isAlive(2 ** 30)).toBe(false);
});
