import { describe, expect } from 'vitest';
import { newAddress } from '#test/clients/sign-in.ts';
import { CREDENTIALS, type TokenResponse } from '#test/clients/token-client.ts';
import { makeConnection, makeWaitingConnection } from '#test/fixtures/factories.ts';
import { type Platform, test } from '#test/fixtures/platform-test.ts';
import { PLATFORM, type TestService } from '#test/fixtures/service.ts';

describe('docs/spec.md §7: errors of the token endpoint', () => {
  test.for([
    undefined,
    '',
    'password',
    'client_credentials',
    'implicit',
    'Authorization_Code',
    'refresh_token ',
  ])('grant_type %j is not supported', async (grantType, { platform }) => {
    const { refreshToken } = await makeConnection();
    const fields = {
      refresh_token: refreshToken,
      ...(grantType === undefined ? {} : { grant_type: grantType }),
    };
    expectError(await post(platform, fields), 400, 'unsupported_grant_type');
  });

  test('a missing or empty code or refresh_token is an invalid request', async ({ platform }) => {
    for (const input of [{}, { code: '', refresh_token: '' }]) {
      expectError(await post(platform, { ...codeGrant, ...input }), 400, 'invalid_request');
      expectError(await post(platform, { grant_type: 'refresh_token', ...input }), 400, 'invalid_request');
    }
  });

  test('an unknown code is an invalid grant, and so is a token in its place', async ({ platform }) => {
    const { accessToken, refreshToken } = await makeConnection();
    for (const code of ['kzc_guessed', 'x', `kzc_${'A'.repeat(43)}`, accessToken, refreshToken, '\0', 'é']) {
      expectError(await post(platform, { ...codeGrant, code }), 400, 'invalid_grant');
    }
  });

  test('an unknown refresh token is an invalid grant, and so is a code or an access token in its place', async ({
    platform,
  }) => {
    const { accessToken } = await makeConnection();
    const { code } = await makeWaitingConnection();
    for (const refresh_token of ['kzr_guessed', `kzr_${'A'.repeat(43)}`, accessToken, code, '\0']) {
      expectError(await post(platform, { grant_type: 'refresh_token', refresh_token }), 400, 'invalid_grant');
    }
    expect((await post(platform, { ...codeGrant, code })).status).toBe(200);
  });

  test('a refresh token must match exactly', async ({ platform }) => {
    const { refreshToken } = await makeConnection();
    for (const changed of [
      ` ${refreshToken}`,
      `${refreshToken} `,
      refreshToken.toLowerCase(),
      refreshToken.slice(0, -1),
    ]) {
      expectError(
        await post(platform, { grant_type: 'refresh_token', refresh_token: changed }),
        400,
        'invalid_grant',
      );
    }
    expect((await post(platform, { grant_type: 'refresh_token', refresh_token: refreshToken })).status).toBe(
      200,
    );
  });
});

describe('RFC 6749 §3.2: a parameter may be sent once', () => {
  test.for(['grant_type', 'code', 'redirect_uri', 'client_id', 'client_secret', 'scope', 'unknown "é\\'])(
    '%s sent twice is an invalid request, and does not use up the code',
    async (name, { platform }) => {
      const { code } = await makeWaitingConnection();
      const fields: Record<string, string> = { ...codeGrant, ...CREDENTIALS, code };
      const value = fields[name] ?? 'x';
      const once: [string, string][] = Object.entries({ ...fields, [name]: value });
      for (const second of [value, 'other', '']) {
        expectError(await post(platform, [...once, [name, second]]), 400, 'invalid_request');
      }
      expect((await post(platform, { ...codeGrant, code })).status).toBe(200);
    },
  );
});

describe('RFC 6749 §3.2: the endpoint accepts a form sent by POST', () => {
  async function send(
    service: TestService,
    init: RequestInit & { headers?: Record<string, string> },
  ): Promise<TokenResponse> {
    const headers = { 'x-forwarded-for': newAddress(), ...init.headers };
    const response = await fetch(`${service.url}/oauth/token`, { ...init, headers });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? null : JSON.parse(text),
    };
  }

  test('RFC 6749 §2.3.1: credentials and codes in the URL are ignored', async ({ service, platform }) => {
    const { code } = await makeWaitingConnection();
    const query = new URLSearchParams({ ...codeGrant, ...CREDENTIALS, code });
    const body = new URLSearchParams({ grant_type: 'authorization_code' });
    const response = await fetch(`${service.url}/oauth/token?${query}`, {
      method: 'POST',
      headers: { 'x-forwarded-for': newAddress() },
      body,
    });
    const { status, headers } = response;
    expectError({ status, headers, body: await response.json() }, 401, 'invalid_client');
    expect((await post(platform, { ...codeGrant, code })).status).toBe(200);
  });

  test('a body of another content type counts as empty', async ({ service }) => {
    const { code } = await makeWaitingConnection();
    const fields = { ...codeGrant, ...CREDENTIALS, code };
    const form = new URLSearchParams(fields).toString();
    const bodies: [string, BodyInit][] = [
      ['application/json', JSON.stringify(fields)],
      ['application/json', form],
      ['text/plain', form],
      ['application/x-www-form-urlencoded-not', form],
      ['multipart/form-data; boundary=x', form],
    ];
    for (const [type, body] of bodies) {
      expectError(
        await send(service, { method: 'POST', headers: { 'content-type': type }, body }),
        401,
        'invalid_client',
      );
    }
    const type = 'Application/X-WWW-Form-Urlencoded;charset=UTF-8';
    expect(
      (await send(service, { method: 'POST', headers: { 'content-type': type }, body: form })).status,
    ).toBe(200);
  });

  test('a form of more than 64 kB counts as empty', async ({ service }) => {
    const body = new URLSearchParams({ ...CREDENTIALS, ...codeGrant, code: 'x'.repeat(64_000) });
    expectError(await send(service, { method: 'POST', body }), 401, 'invalid_client');
  });

  test.for(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'])('%s returns 405', async (method, { service }) => {
    for (const path of ['/oauth/token', '/oauth/revoke']) {
      const response = await fetch(`${service.url}${path}`, { method });
      expect(response.status).toBe(405);
      expect(response.headers.get('allow')).toBe('POST');
      expect(response.headers.get('cache-control')).toBe('no-store');
    }
  });
});

/**
 * Expects the error format of docs/spec.md §7, with the characters that RFC 6749 §5.2 allows in a
 * description.
 */
function expectError(response: TokenResponse, status: number, error: string) {
  expect([response.status, response.body]).toEqual([
    status,
    { error, error_description: expect.stringMatching(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/) },
  ]);
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('pragma')).toBe('no-cache');
}

const post = (platform: Platform, fields: Record<string, string> | [string, string][]) =>
  platform.post('/oauth/token', Array.isArray(fields) ? fields : { ...CREDENTIALS, ...fields });
const codeGrant = { grant_type: 'authorization_code', redirect_uri: PLATFORM.returnUrl };
