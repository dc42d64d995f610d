import { expect, it } from 'vitest';
import { findRefusedLicences } from '#scripts/check/check-licences.ts';

const lines = (license?: unknown, name = 'a') =>
  findRefusedLicences({ [`node_modules/${name}`]: { license } });

it.each(['MIT', 'MPL-2.0', 'MIT OR GPL-3.0-only', '(MIT AND ISC)', 'MIT and ISC'])(
  'accepts %s',
  (license) => {
    expect(lines(license)).toEqual([]);
  },
);

it.each(['GPL-3.0-only', 'AGPL-3.0', 'MIT AND GPL-3.0-only', 'SEE LICENSE IN LICENSE', 'UNLICENSED'])(
  'refuses %s',
  (license) => {
    expect(lines(license)).toEqual([`a: ${license} is not accepted (scripts/check/check-licences.ts).`]);
  },
);

it('refuses a package without a licence, unless its own files state one', () => {
  expect(lines(undefined)).toEqual([
    'a: no licence stated is not accepted (scripts/check/check-licences.ts).',
  ]);
  expect(lines(undefined, 'busboy')).toEqual([]);
});

it('names a nested package by its own name', () => {
  expect(findRefusedLicences({ 'node_modules/a/node_modules/@b/c': { license: 'GPL-3.0-only' } })).toEqual([
    expect.stringMatching(/^@b\/c: /),
  ]);
});
