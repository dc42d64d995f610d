import { describe, expect } from 'vitest';
import { basic, type TokenResponse } from '#test/clients/token-client.ts';
import { makeConnection, makeWaitingConnection } from '#test/fixtures/factories.ts';
import { type Platform, test as platformTest } from '#test/fixtures/platform-test.ts';
import { PLATFORM } from '#test/fixtures/service.ts';

const ID = 'platform%20id+é';
const OLD_SECRET = 'old:secret%3A100%+/=';
const NEW_SECRET = 'new secret & "quotes" é';

const test = platformTest.extend(
  'settings',
  { scope: 'file' },
  { PLATFORM_CLIENT_ID: ID, PLATFORM_CLIENT_SECRET: `${OLD_SECRET}, ${NEW_SECRET}` },
);

describe('RFC 6749 §2.3.1: the platform authenticates in the form or by HTTP Basic', () => {
  test.for([
    ['old', OLD_SECRET],
    ['new', NEW_SECRET],
  ] as const)('with the %s secret during a rotation', async ([_which, secret], { platform }) => {
    expect(statuses(await sendAll(platform, { client_id: ID, client_secret: secret }))).toEqual([
      200, 200, 200,
    ]);
    expect(statuses(await sendAll(platform, {}, basic(encoded(ID), encoded(secret))))).toEqual([
      200, 200, 200,
    ]);
  });

  test('by HTTP Basic without encoding, as many clients do', async ({ platform }) => {
    expect(statuses(await sendAll(platform, {}, basic(ID, OLD_SECRET)))).toEqual([200, 200, 200]);
    expect(statuses(await sendAll(platform, {}, basic(ID, NEW_SECRET)))).toEqual([200, 200, 200]);
  });

  test('in the form, despite a gateway’s header of another scheme', async ({ platform }) => {
    const fields = { client_id: ID, client_secret: NEW_SECRET };
    const bearer = { authorization: 'Bearer of-a-gateway' };
    expect(statuses(await sendAll(platform, fields, bearer))).toEqual([200, 200, 200]);
  });

  test('with the scheme in any case, and with the client id in the form too', async ({ platform }) => {
    const { authorization } = basic(encoded(ID), encoded(OLD_SECRET));
    const lower = { authorization: authorization.replace('Basic', 'basic') };
    expect(statuses(await sendAll(platform, { client_id: ID, client_secret: '' }, lower))).toEqual([
      200, 200, 200,
    ]);
  });
});

describe('RFC 6749 §2.3, §5.2: an attacker without the platform’s credentials gets nothing', () => {
  test.for([
    ['no credentials', {}],
    ['no secret', { client_id: ID }],
    ['an empty secret', { client_id: ID, client_secret: '' }],
    ['no id', { client_secret: OLD_SECRET }],
    ['another id', { client_id: 'somebody', client_secret: OLD_SECRET }],
    ['another secret', { client_id: ID, client_secret: 'guessed' }],
    ['a secret in another case', { client_id: ID, client_secret: OLD_SECRET.toUpperCase() }],
    ['a part of the secret', { client_id: ID, client_secret: OLD_SECRET.slice(0, -1) }],
    ['both secrets, as in the setting', { client_id: ID, client_secret: `${OLD_SECRET}, ${NEW_SECRET}` }],
    ['the secret encoded twice', { client_id: ID, client_secret: encoded(OLD_SECRET) }],
  ])('with %s in the form', async ([_what, fields], { platform }) => {
    expectInvalidClient(await sendAll(platform, fields as Record<string, string>));
  });

  test.for([
    ['another id', basic('somebody', OLD_SECRET)],
    ['another secret', basic(ID, 'guessed')],
    ['an empty secret', basic(ID, '')],
    ['no colon', { authorization: `Basic ${Buffer.from(ID).toString('base64')}` }],
    ['something that is not base64', { authorization: 'Basic ***' }],
    ['nothing after the scheme', { authorization: 'Basic' }],
    ['another scheme', { authorization: `Bearer ${OLD_SECRET}` }],
  ] as const)('with %s in HTTP Basic', async ([_what, headers], { platform }) => {
    expectInvalidClient(await sendAll(platform, {}, headers));
  });

  test('with the credentials in the URL', async ({ service }) => {
    const query = new URLSearchParams({ client_id: ID, client_secret: OLD_SECRET });
    const response = await fetch(`${service.url}/oauth/token?${query}`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'x' }),
    });
    expect(response.status).toBe(401);
  });

  test('and the client is checked before grant, code or token', async ({ platform }) => {
    expectInvalidClient([
      await platform.post('/oauth/token', {}),
      await platform.post('/oauth/token', { grant_type: 'password', client_id: ID }),
      await platform.post('/oauth/revoke', {}),
    ]);
  });
});

describe('RFC 6749 §2.3: one authentication method in a request', () => {
  test('two methods are an invalid request, even if both are right', async ({ platform }) => {
    const fields = { client_id: ID, client_secret: OLD_SECRET };
    for (const response of await sendAll(platform, fields, basic(encoded(ID), encoded(OLD_SECRET)))) {
      expect(response.status).toBe(400);
      expect(response.body).toEqual({
        error: 'invalid_request',
        error_description:
          'The client is authenticated twice: send its id and secret in the form or by HTTP Basic, not both.',
      });
    }
  });
});

/** Exchanges a new code with these credentials, refreshes a connection and revokes another one. */
async function sendAll(
  platform: Platform,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
) {
  const [{ code }, { refreshToken }, revoked] = await Promise.all([
    makeWaitingConnection(),
    makeConnection(),
    makeConnection(),
  ]);
  return Promise.all([
    platform.post(
      '/oauth/token',
      { grant_type: 'authorization_code', redirect_uri: PLATFORM.returnUrl, code, ...fields },
      headers,
    ),
    platform.post(
      '/oauth/token',
      { grant_type: 'refresh_token', refresh_token: refreshToken, ...fields },
      headers,
    ),
    platform.post('/oauth/revoke', { token: revoked.refreshToken, ...fields }, headers),
  ]);
}

const statuses = (responses: TokenResponse[]) => responses.map(({ status }) => status);

function expectInvalidClient(responses: TokenResponse[]) {
  for (const response of responses) {
    expect(response.status).toBe(401);
    expect(response.body).toEqual({
      error: 'invalid_client',
      error_description: 'The client_id or client_secret is missing or wrong.',
    });
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('www-authenticate')).toMatch(/^Basic realm="[^"]+"$/);
  }
}

function encoded(text: string): string {
  return new URLSearchParams({ text }).toString().slice('text='.length);
}
