import { expect, test } from 'vitest';
import { localPath } from '#app/lib/local-path.ts';

test('returns a path of this service with its query', () => {
  expect(localPath('/oauth/authorize?client_id=a&state=b%2Fc')).toBe(
    '/oauth/authorize?client_id=a&state=b%2Fc',
  );
});

test.each([
  'https://evil.example/',
  '//evil.example/',
  '/\\evil.example/',
  '/\t/evil.example/',
  '/inbox\n//evil.example',
  'javascript:alert(1)',
  'inbox',
  '',
  undefined,
  ['/inbox'],
])('an attacker cannot redirect a teammate with %j', (wanted) => {
  expect(localPath(wanted)).toBe('/inbox');
});
