import { beforeAll, describe, expect, test } from 'vitest';
import { API_PATH } from '#server/core/env.ts';
import { rawRequest } from '#test/clients/raw-request.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { withTestService } from '#test/fixtures/service.ts';

const service = withTestService();
let authorization: string;
beforeAll(async () => {
  authorization = `Bearer ${(await makeConnection()).accessToken}`;
});

/** Sends a request, without a token unless `headers` has one. */
const call = (method: string, path: string, headers: Record<string, string> = {}) =>
  rawRequest(service.url, { method, path: API_PATH + path, headers });

describe('an address that is none', () => {
  test.each([
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
  ])('%j answers 404 to everyone, with or without a token', async (path) => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      for (const headers of [{}, { authorization }]) {
        const { status, body } = await call(method, path, headers);
        const nothing = { status: 404, body: { message: 'There is nothing at this address.' } };
        expect({ status, body }, method).toEqual(nothing);
      }
    }
  });

  test.each(['/hooks/%zz', '/hooks/%', '/hooks/%e2%82', '/%zz', '/hooks/.', '/hooks/..', '/hooks/%2e%2e'])(
    '%s cannot be read and answers 404 too',
    async (path) => {
      const { status, body } = await call('DELETE', path, { authorization });
      expect({ status, body }).toEqual({
        status: 404,
        body: { message: 'There is nothing at this address.' },
      });
    },
  );
});

describe('a method that the address does not have', () => {
  test.each([
    ['/me', 'GET', ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']],
    ['/users', 'GET', ['POST', 'DELETE']],
    ['/teams', 'GET', ['POST', 'DELETE']],
    ['/hooks', 'POST', ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']],
    ['/hooks/1', 'DELETE', ['GET', 'POST', 'PUT', 'PATCH', 'OPTIONS', 'HEAD']],
    ['/conversations', 'POST', ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']],
  ])('%s answers %s only, and 405 with Allow to others', async (path, allow, methods) => {
    for (const method of methods) {
      for (const headers of [{}, { authorization }]) {
        const response = await call(method, path, headers);
        expect(response.status, method).toBe(405);
        expect(response.headers.allow, method).toBe(allow === 'GET' ? 'GET, HEAD' : allow);
        const body = { message: `This address answers ${allow} only.` };
        expect(response.body, method).toEqual(method === 'HEAD' ? null : body);
      }
    }
  });

  test('such as an unknown one: 405 as well', async () => {
    expect(await call('PROPFIND', '/me')).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
  });
});

test('addresses beside the API are nothing, for anyone: 404 before any credentials', async () => {
  for (const path of ['/api/automation/v2/me', '/api/automation/v11/me', '/api/automation/me']) {
    const response = await rawRequest(service.url, { method: 'GET', path });
    const body = { message: 'There is nothing at this address.' };
    expect({ path, status: response.status, body: response.body }).toEqual({ path, status: 404, body });
  }
});
