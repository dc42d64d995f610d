import { expect, test } from 'vitest';
import { readArguments } from '#scripts/check/read-arguments.ts';

test('a run has extra load only with the argument', () => {
  expect(readArguments([])).toEqual({ besideLoad: false });
  expect(readArguments(['--beside-load'])).toEqual({ besideLoad: true });
});

test.each([['--besides-load'], ['--beside-load', '--bail'], ['server/core/untrusted-text.test.ts']])(
  'unknown arguments are refused with the one that exists: %s %s',
  (...args) => {
    expect(() => readArguments(args)).toThrow(
      `There is no argument ${args.at(-1)}: the only one is --beside-load.`,
    );
  },
);
