import { expect, it } from 'vitest';
import { candidates } from '#scripts/chromium.ts';

it('looks on the path before the usual places', () => {
  const paths = candidates({ PATH: '/home/me/bin:/usr/local/bin' }, 'linux');
  expect(paths.slice(0, 2)).toEqual(['/home/me/bin/chromium', '/usr/local/bin/chromium']);
  expect(paths).toContain('/usr/bin/chromium');
});
