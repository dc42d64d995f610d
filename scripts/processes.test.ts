import { expect, it } from 'vitest';
import { commandOf, identityOf, startTicks } from '#scripts/processes.ts';

const fields = ['R', ...Array.from({ length: 18 }, (_, index) => String(index)), '240634', '0'];
const stat = (state: string) => `4711 (node (worker)) ${fields.with(0, state).join(' ')}`;

it('tells when a process was started, also when its name has spaces and brackets', () => {
  expect(startTicks(stat('S'))).toBe('240634');
});

it('takes a process that has ended for none', () => {
  expect(startTicks(stat('Z'))).toBeUndefined();
  expect(startTicks('')).toBeUndefined();
});

it('gives a living process one identity, and none to a number that nobody has', async () => {
  expect(await identityOf(process.pid)).toBe(await identityOf(process.pid));
  expect(await identityOf(process.pid)).toBeTruthy();
  expect(await identityOf(2 ** 30)).toBeUndefined();
  expect(await commandOf(process.pid)).toContain('node');
});
