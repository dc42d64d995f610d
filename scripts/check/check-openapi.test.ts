import { expect, test } from 'vitest';
import { firstDifference } from '#scripts/check/check-openapi.ts';

test.each([
  ['a\nb\n', 'a\nb\n', undefined],
  ['a\nb\n', 'a\nc\n', 2],
  ['a\n', 'a\nb\n', 2],
  ['a\nb', 'a', 2],
  ['a', 'a\nb', 2],
  ['', 'a', 1],
])('%j and %j differ first on line %s', (a, b, line) => {
  expect(firstDifference(a, b)).toBe(line);
});
