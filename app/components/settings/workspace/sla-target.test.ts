import { expect, test } from 'vitest';
import { inMinutes, inUnit } from '#app/components/settings/workspace/sla-target.ts';

test.each([
  [null, '', 'hours'],
  [30, '30', 'minutes'],
  [90, '90', 'minutes'],
  [120, '2', 'hours'],
])('%s minutes are shown as %s %s, and read back', (minutes, amount, unit) => {
  expect(inUnit(minutes)).toEqual({ amount, unit });
  expect(inMinutes({ amount, unit })).toBe(minutes);
});

test.each([
  ['1.5', 'hours', 90],
  ['0', 'minutes', 0],
  ['soon', 'hours', 0],
  ['-1', 'hours', -60],
  [' ', 'minutes', null],
])('%j %s is %s', (amount, unit, minutes) => {
  expect(inMinutes({ amount, unit })).toBe(minutes);
});
