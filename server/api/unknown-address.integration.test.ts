import { describe, expect } from 'vitest';
import { API_PATH } from '#server/core/env.ts';
import { rawRequest } from '#test/clients/raw-request.ts';
import { test } from '#test/fixtures/service-test.ts';

describe('an unknown address', () => {
  test.for([
    '',
    '/',
    '/nothing',
    '/ME',
    '/me/',
    '/me/x',
    '//me',
    '/hooks/',
    '/hooks/1/2',
    '/users/1',
    '/../v1/me',
    '/__proto__',
    '/constructor',
  ])('%j returns 404 to everyone, with or without a token', async (path, { service, connection }) => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      for (const headers of [{}, { authorization: `Bearer ${connection.accessToken}` }]) {
        const { status, body } = await call(service.url, method, path, headers);
        const nothing = { status: 404, body: { message: 'There is nothing at this address.' } };
        expect({ status, body }, method).toEqual(nothing);
      }
    }
  });

  test.for(['/hooks/%zz', '/hooks/%', '/hooks/%e2%82', '/%zz', '/hooks/.', '/hooks/..', '/hooks/%2e%2e'])(
    '%s cannot be decoded and returns 404 too',
    async (path, { service, connection }) => {
      const authorization = `Bearer ${connection.accessToken}`;
      const { status, body } = await call(service.url, 'DELETE', path, { authorization });
      expect({ status, body }).toEqual({
        status: 404,
        body: { message: 'There is nothing at this address.' },
      });
    },
  );
});

describe('an unsupported method', () => {
  test.for([
    ['/me', 'GET', ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']],
    ['/users', 'GET', ['POST', 'DELETE']],
    ['/teams', 'GET', ['POST', 'DELETE']],
    ['/hooks', 'POST', ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']],
    ['/hooks/1', 'DELETE', ['GET', 'POST', 'PUT', 'PATCH', 'OPTIONS', 'HEAD']],
    ['/conversations', 'POST', ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']],
  ] as const)(
    '%s supports %s only, and returns 405 with Allow for others',
    async ([path, allow, methods], { service, connection }) => {
      for (const method of methods) {
        for (const headers of [{}, { authorization: `Bearer ${connection.accessToken}` }]) {
          const response = await call(service.url, method, path, headers);
          expect(response.status, method).toBe(405);
          expect(response.headers.allow, method).toBe(allow === 'GET' ? 'GET, HEAD' : allow);
          const body = { message: `This address supports ${allow} only.` };
          expect(response.body, method).toEqual(method === 'HEAD' ? null : body);
        }
      }
    },
  );

  test('an unknown method returns 405 too', async ({ service }) => {
    expect(await call(service.url, 'PROPFIND', '/me')).toMatchObject({
      status: 405,
      headers: { allow: 'GET, HEAD' },
    });
  });
});

test('addresses outside the API return 404 to everyone, before credentials are checked', async ({
  service,
}) => {
  for (const path of ['/api/automation/v2/me', '/api/automation/v11/me', '/api/automation/me']) {
    const response = await rawRequest(service.url, { method: 'GET', path });
    const body = { message: 'There is nothing at this address.' };
    expect({ path, status: response.status, body: response.body }).toEqual({ path, status: 404, body });
  }
});

/** Sends a request, without a token unless `headers` has one. */
const call = (url: string, method: string, path: string, headers: Record<string, string> = {}) =>
  rawRequest(url, { method, path: API_PATH + path, headers });
