import { expect, it } from 'vitest';
import { commandOf, isAlive } from '#scripts/tools/processes.ts';

it('returns the command of a running process, and none for an unused id', async () => {
  expect(await commandOf(process.pid)).toContain('node');
  expect(isAlive(process.pid)).toBe(true);
  expect(await commandOf(2 ** 30)).toBeUndefined();
  expect(isAlive(2 ** 30)).toBe(false);
});
