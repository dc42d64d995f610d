import { expect, it } from 'vitest';
import { candidates } from '#scripts/tools/find-program.ts';

it('searches PATH before the usual folders', () => {
  const wanted = {
    debianPackage: 'pear',
    setting: 'PEAR_PATH',
    names: ['pear', 'pear-2'],
    places: ['/opt/pear'],
  };
  const paths = candidates(wanted, { PATH: '/home/me/bin:/usr/bin' });
  expect(paths.slice(0, 3)).toEqual(['/home/me/bin/pear', '/usr/bin/pear', '/usr/sbin/pear']);
  expect(paths).toContain('/home/me/bin/pear-2');
  expect(paths.at(-1)).toBe('/opt/pear');
});
