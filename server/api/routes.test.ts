import { describe, expect, test } from 'vitest';
import { setTestSettings } from '#test/servers/settings.ts';

setTestSettings();
const { findRoutePath } = await import('#server/api/routes.ts');

const successStatuses = (path: string) =>
  Object.fromEntries(findRoutePath(path)?.found.successStatuses ?? []);

describe('a path of the contract', () => {
  test.each([
    ['/me', { GET: 200 }],
    ['/users', { GET: 200 }],
    ['/teams', { GET: 200 }],
    ['/hooks', { POST: 201 }],
    ['/hooks/1', { DELETE: 200 }],
    ['/conversations', { POST: 201 }],
  ])('%s answers its methods with their status of success', (path, statuses) => {
    expect(successStatuses(path)).toEqual(statuses);
  });

  test.each([
    ['/%6de', '/me'],
    ['/hooks/%31%2D2', '/hooks/1-2'],
    ['/hooks/a%2Fb', '/hooks/a%2Fb'],
    ['/hooks/a b', '/hooks/a%20b'],
    ['/hooks/%00', '/hooks/%00'],
    ['/hooks/%E2%82%AC', '/hooks/%E2%82%AC'],
    ['/hooks/...', '/hooks/...'],
  ])('%s is read as %s', (given, path) => {
    expect(findRoutePath(given)?.path).toBe(path);
  });

  test.each([
    '',
    '/',
    '/nothing',
    '/Me',
    '/me/',
    '//me',
    '/me/me',
    '/hooks/',
    '/hooks/1/2',
    '/hooks/%zz',
    '/hooks/%',
    '/hooks/%ff',
    '/%zz',
    '/hooks/.',
    '/hooks/..',
    '/hooks/%2e%2E',
    '/hooks/{id}/',
    '/__proto__',
  ])('is not %j', (path) => {
    expect(findRoutePath(path)).toBeUndefined();
  });
});
