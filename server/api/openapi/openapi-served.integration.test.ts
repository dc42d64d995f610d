import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { API_PATH } from '#server/core/env.ts';
import { rawRequest } from '#test/clients/raw-request.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { withTestService } from '#test/fixtures/service.ts';

const service = withTestService();

const path = `${API_PATH}/openapi.json`;
const read = (method: string, headers: Record<string, string> = {}, query = '') =>
  rawRequest(service.url, { method, path: path + query, headers });

describe('the document', () => {
  test('is served without a token, as it is committed', async () => {
    const response = await fetch(service.url + path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('public, max-age=300');
    expect(response.headers.get('x-request-id')).toBeTruthy();
    expect(await response.text()).toBe(await readFile('openapi.json', 'utf8'));
  });

  test('needs no sign-in: a token, good or bad, and a query change nothing', async () => {
    const { accessToken } = await makeConnection();
    for (const authorization of [`Bearer ${accessToken}`, 'Bearer kza_nothing', 'Basic x']) {
      const response = await read('GET', { authorization, accept: 'text/html' }, '?a=1');
      expect(response).toMatchObject({ status: 200, body: { openapi: '3.1.0' } });
      expect(response.headers['x-ratelimit-remaining']).toBeUndefined();
    }
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'])(
    'is only read: %s answers 405',
    async (method) => {
      const response = await read(method);
      expect(response).toMatchObject({ status: 405, headers: { allow: 'GET' } });
      const body = { message: 'This address answers GET only.' };
      expect(response.body).toEqual(method === 'HEAD' ? null : body);
    },
  );

  test.each(['/openapi.json/', '/openapi', '/openapi.yaml', '/openapi.json/x'])(
    'is not at %s',
    async (other) => {
      const response = await rawRequest(service.url, { method: 'GET', path: API_PATH + other, headers: {} });
      expect(response.status).toBe(404);
    },
  );
});
