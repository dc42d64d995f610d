import { expect, test } from 'vitest';
import { readArguments } from '#scripts/check/read-arguments.ts';

test('a run has every test and extra load only with the arguments', () => {
  expect(readArguments([])).toEqual({ tier: 'everyday', besideLoad: false });
  expect(readArguments(['--all'])).toEqual({ tier: 'all', besideLoad: false });
  expect(readArguments(['--beside-load', '--all'])).toEqual({ tier: 'all', besideLoad: true });
});

test.each([['--besides-load'], ['--all', '--bail'], ['server/core/untrusted-text.test.ts']])(
  'unknown arguments are refused with those that exist: %s %s',
  (...args) => {
    expect(() => readArguments(args)).toThrow(
      `There is no argument ${args.at(-1)}. Use --all or --beside-load.`,
    );
  },
);
