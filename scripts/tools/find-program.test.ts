import { expect, it } from 'vitest';
import { candidates } from '#scripts/tools/find-program.ts';

it('looks on the path before the usual places', () => {
  const wanted = {
    debianPackage: 'pear',
    setting: 'PEAR_PATH',
    names: ['pear', 'pear-2'],
    places: ['/opt/pear'],
  };
  expect(candidates(wanted, { PATH: '/home/me/bin:/usr/bin' })).toEqual([
    '/home/me/bin/pear',
    '/usr/bin/pear',
    '/home/me/bin/pear-2',
    '/usr/bin/pear-2',
    '/opt/pear',
  ]);
});
