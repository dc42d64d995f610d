import { readFile } from 'node:fs/promises';
import { describe, expect } from 'vitest';
import { API_PATH, settings } from '#server/core/env.ts';
import { rawRequest } from '#test/clients/raw-request.ts';
import { sendRaw } from '#test/clients/raw-socket.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { test } from '#test/fixtures/service-test.ts';

describe('the document', () => {
  test('is served without a token and equals openapi.json, except for addresses and contact', async ({
    service,
  }) => {
    const response = await fetch(service.url + path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('public, max-age=300');
    expect(response.headers.get('x-request-id')).toBeTruthy();
    const document = JSON.parse(await response.text());
    const committed = JSON.parse(await readFile('openapi.json', 'utf8'));
    const { securitySchemes } = committed.components;
    expect({
      ...document,
      info: committed.info,
      servers: committed.servers,
      components: { ...document.components, securitySchemes },
    }).toEqual(committed);
  });

  test('has absolute addresses, so that saved copies and tools can use it', async ({ service }) => {
    const document = await (await fetch(service.url + path)).json();
    const { BASE_URL, SERVICE_NAME } = settings();
    expect(document.servers).toMatchObject([{ url: `${BASE_URL}/api/automation/v1` }]);
    expect(document.info.contact).toEqual({ name: SERVICE_NAME, url: `${BASE_URL}/docs` });
    expect(document.info.description).toContain(`(${BASE_URL}/docs)`);
    expect(document.components.securitySchemes.oauth2.flows.authorizationCode).toMatchObject({
      authorizationUrl: `${BASE_URL}/oauth/authorize`,
      tokenUrl: `${BASE_URL}/oauth/token`,
      refreshUrl: `${BASE_URL}/oauth/token`,
    });
  });

  test('describes the response to a malformed request', async ({ service }) => {
    const { paths, components } = await (await fetch(service.url + path)).json();
    const described =
      components.responses[paths['/openapi.json'].get.responses['400'].$ref.split('/').at(-1)];
    const [response] = await sendRaw(service.url, `GET ${path} HTTP/1.1\r\nConnection: close\r\n\r\n`);
    expect(response?.status).toBe(400);
    expect(JSON.parse(response?.body ?? '')).toEqual(described.content['application/json'].example);
  });

  test('ignores tokens, valid or not, and query parameters', async ({ service }) => {
    const { accessToken } = await makeConnection();
    for (const authorization of [`Bearer ${accessToken}`, 'Bearer kza_nothing', 'Basic x']) {
      const response = await read(service.url, 'GET', { authorization, accept: 'text/html' }, '?a=1');
      expect(response).toMatchObject({ status: 200, body: { openapi: '3.1.0' } });
      expect(response.headers['x-ratelimit-remaining']).toBeUndefined();
    }
  });

  test.for(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
    'is read-only: %s returns 405',
    async (method, { service }) => {
      const response = await read(service.url, method);
      expect(response).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
      expect(response.body).toEqual({ message: 'This address supports GET only.' });
    },
  );

  test.for(['/openapi.json/', '/openapi', '/openapi.yaml', '/openapi.json/x'])(
    'is not served at %s',
    async (other, { service }) => {
      const response = await rawRequest(service.url, { method: 'GET', path: API_PATH + other, headers: {} });
      expect(response.status).toBe(404);
    },
  );
});

const path = `${API_PATH}/openapi.json`;
const read = (url: string, method: string, headers: Record<string, string> = {}, query = '') =>
  rawRequest(url, { method, path: path + query, headers });
