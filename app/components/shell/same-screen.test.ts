import { expect, test } from 'vitest';
import { sameScreen } from '#app/components/shell/same-screen.ts';

test.each([
  ['/settings/integrations', '/settings/integrations'],
  ['/contacts/0193e1a0-0000-7000-8000-000000000001', '/contacts'],
  ['/inbox', '/inbox'],
  ['/no-workspace', '/inbox'],
])('switching the workspace on %s shows %s', (pathname, shown) => {
  expect(sameScreen(pathname)).toBe(shown);
});
