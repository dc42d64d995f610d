import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { API_PATH } from '#server/ground/env.ts';
import { makeConnection } from '#test/factories.ts';
import { rawRequest } from '#test/raw-request.ts';
import { withTestService } from '#test/with-service.ts';

const service = withTestService();

const path = `${API_PATH}/openapi.json`;
const read = (method: string, headers: Record<string, string> = {}, query = '') =>
  rawRequest(service.url, { method, path: path + query, headers });

describe('the document', () => {
  test('is served without a token, as it is committed', async () => {
    const answer = await fetch(service.url + path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=300');
    expect(answer.headers.get('x-request-id')).toBeTruthy();
    expect(await answer.text()).toBe(await readFile('openapi.json', 'utf8'));
  });

  test('needs no sign-in: a token, good or bad, and a query change nothing', async () => {
    const { accessToken } = await makeConnection();
    for (const authorization of [`Bearer ${accessToken}`, 'Bearer kza_nothing', 'Basic x']) {
      const answer = await read('GET', { authorization, accept: 'text/html' }, '?a=1');
      expect(answer).toMatchObject({ status: 200, body: { openapi: '3.1.0' } });
      expect(answer.headers['x-ratelimit-remaining']).toBeUndefined();
    }
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'])(
    'is only read: %s answers 405',
    async (method) => {
      const answer = await read(method);
      expect(answer).toMatchObject({ status: 405, headers: { allow: 'GET' } });
      const body = { message: 'This address answers GET only.' };
      expect(answer.body).toEqual(method === 'HEAD' ? null : body);
    },
  );

  test.each(['/openapi.json/', '/openapi', '/openapi.yaml', '/openapi.json/x'])(
    'is not at %s',
    async (other) => {
      const answer = await rawRequest(service.url, { method: 'GET', path: API_PATH + other, headers: {} });
      expect(answer.status).toBe(404);
    },
  );
});
