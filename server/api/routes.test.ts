import { describe, expect, test } from 'vitest';
import { setTestSettings } from '#test/servers/settings.ts';

setTestSettings();
const { findRoute } = await import('#server/api/routes.ts');

const successStatuses = (path: string) =>
  Object.fromEntries(
    [...(findRoute(path)?.operations ?? [])].map(([method, operation]) => [method, operation.successStatus]),
  );

describe('a path of the contract', () => {
  test.each([
    ['/me', { GET: 200 }],
    ['/users', { GET: 200 }],
    ['/teams', { GET: 200 }],
    ['/hooks', { POST: 201 }],
    ['/hooks/1', { DELETE: 200 }],
    ['/conversations', { POST: 201 }],
  ])('%s has these methods, each with its success status', (path, statuses) => {
    expect(successStatuses(path)).toEqual(statuses);
  });

  test.each([
    ['/%6de', {}],
    ['/hooks/%31%2D2', { id: '1-2' }],
    ['/hooks/a%2Fb', { id: 'a/b' }],
    ['/hooks/a b', { id: 'a b' }],
    ['/hooks/%00', { id: '\0' }],
    ['/hooks/%E2%82%AC', { id: '€' }],
    ['/hooks/%2525', { id: '%25' }],
    ['/hooks/...', { id: '...' }],
    ['/hooks/__proto__', { id: '__proto__' }],
  ])('%s has the parameters %j', (input, parameters) => {
    expect(findRoute(input)?.parameters).toEqual(parameters);
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
    expect(findRoute(path)).toBeUndefined();
  });
});
