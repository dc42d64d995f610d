import { expect, test } from 'vitest';
import { toFormTarget, toMinutes } from '#app/components/settings/workspace/sla-target.ts';

test.each([
  [null, '', 'hours'],
  [30, '30', 'minutes'],
  [90, '90', 'minutes'],
  [120, '2', 'hours'],
])('formats %s minutes as %s %s, and parses them back', (minutes, amount, unit) => {
  expect(toFormTarget(minutes)).toEqual({ amount, unit });
  expect(toMinutes({ amount, unit })).toBe(minutes);
});

test.each([
  ['1.5', 'hours', 90],
  ['0', 'minutes', 0],
  ['soon', 'hours', 0],
  ['-1', 'hours', -60],
  [' ', 'minutes', null],
])('parses %j %s as %s minutes', (amount, unit, minutes) => {
  expect(toMinutes({ amount, unit })).toBe(minutes);
});
