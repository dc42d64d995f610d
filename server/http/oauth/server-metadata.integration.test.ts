import * as openid from 'openid-client';
import { describe, expect } from 'vitest';
import { apiClient } from '#test/clients/api-client.ts';
import { consentClient, formOf } from '#test/clients/consent-client.ts';
import { newAddress, ORIGIN, signInAs } from '#test/clients/sign-in.ts';
import { addMember, makeUser, makeWorkspace } from '#test/fixtures/factories.ts';
import { PLATFORM } from '#test/fixtures/service.ts';
import { test } from '#test/fixtures/service-test.ts';

describe('RFC 8414 §2, §3: the metadata document', () => {
  test('has exactly these fields', async ({ service }) => {
    const response = await fetch(service.url + WELL_KNOWN);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(await response.json()).toEqual({
      issuer: 'http://inbox.test',
      authorization_endpoint: 'http://inbox.test/oauth/authorize',
      token_endpoint: 'http://inbox.test/oauth/token',
      revocation_endpoint: 'http://inbox.test/oauth/revoke',
      scopes_supported: ['automation'],
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256', 'plain'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      authorization_response_iss_parameter_supported: false,
      service_documentation: 'http://inbox.test/docs',
    });
  });

  test('is public, needs no credentials and ignores the query', async ({ service }) => {
    const response = await fetch(`${service.url}${WELL_KNOWN}?issuer=https://attacker.test`);
    expect(await response.text()).not.toContain('attacker');
    const head = await fetch(service.url + WELL_KNOWN, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  test.for(['POST', 'PUT', 'DELETE', 'OPTIONS'])('%s gets a 405', async (method, { service }) => {
    const response = await fetch(service.url + WELL_KNOWN, { method });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  test('exists at this path only', async ({ service }) => {
    const unknown = await fetch(`${service.url}${WELL_KNOWN}/more`);
    expect(await unknown.text()).not.toContain('authorization_endpoint');
  });
});

describe('RFC 8414 §3.3: a strict client completes OAuth with nothing but the metadata', () => {
  test.for<[string, openid.ClientAuth]>([
    ['in the form', openid.ClientSecretPost(PLATFORM.clientSecret)],
    ['by HTTP Basic', openid.ClientSecretBasic(PLATFORM.clientSecret)],
  ])('authenticating %s', async ([_how, authentication], { service }) => {
    const client = await discover(service.url, authentication);
    expect(client.serverMetadata().supportsPKCE()).toBe(true);

    const [verifier, state] = [openid.randomPKCECodeVerifier(), openid.randomState()];
    const address = openid.buildAuthorizationUrl(client, {
      redirect_uri: PLATFORM.returnUrl,
      scope: 'automation',
      state,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    expect(address.origin + address.pathname).toBe(`${ORIGIN}/oauth/authorize`);
    const browser = await ownerBrowser(service.url);
    const approved = await browser.post(formOf(await browser.open(address.searchParams.toString())));
    if (!approved.location) throw new Error('Not approved.');

    const tokens = await openid.authorizationCodeGrant(client, approved.location, {
      expectedState: state,
      pkceCodeVerifier: verifier,
    });
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 7200, scope: 'automation' });
    const status = async (token: string) => (await apiClient(service.url, token)('GET', '/me')).status;
    expect(await status(tokens.access_token)).toBe(200);

    const refreshed = await openid.refreshTokenGrant(client, tokens.refresh_token ?? '');
    expect(refreshed.refresh_token).toBe(tokens.refresh_token);
    expect([await status(tokens.access_token), await status(refreshed.access_token)]).toEqual([401, 200]);

    await openid.tokenRevocation(client, refreshed.access_token, { token_type_hint: 'access_token' });
    expect(await status(refreshed.access_token)).toBe(401);
    await expect(openid.refreshTokenGrant(client, tokens.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });

  test('and gets the RFCs’ errors for a wrong secret and a cancelled request', async ({ service }) => {
    const stranger = await discover(service.url, openid.ClientSecretBasic('guessed'));
    await expect(openid.refreshTokenGrant(stranger, 'kzr_x')).rejects.toMatchObject({ status: 401 });

    const client = await discover(service.url, openid.ClientSecretPost(PLATFORM.clientSecret));
    const state = openid.randomState();
    const address = openid.buildAuthorizationUrl(client, { redirect_uri: PLATFORM.returnUrl, state });
    const browser = await ownerBrowser(service.url);
    const page = await browser.open(address.searchParams.toString());
    const cancelled = await browser.post(formOf(page, 'cancel'));
    const returned = cancelled.location ?? new URL(ORIGIN);
    await expect(
      openid.authorizationCodeGrant(client, returned, { expectedState: state }),
    ).rejects.toMatchObject({
      error: 'access_denied',
    });
  });
});

const WELL_KNOWN = '/.well-known/oauth-authorization-server';

/** Sends requests for the service's public address to the test server. */
const atService = (serviceUrl: string, url: string, options: RequestInit): Promise<Response> =>
  fetch(url.replace(ORIGIN, serviceUrl), {
    ...options,
    headers: { ...Object.fromEntries(new Headers(options.headers)), 'x-forwarded-for': newAddress() },
  });

/** Discovers the endpoints as a strict client that only knows the issuer, its id and its secret. */
const discover = (serviceUrl: string, authentication: openid.ClientAuth): Promise<openid.Configuration> =>
  openid.discovery(new URL(ORIGIN), PLATFORM.clientId, undefined, authentication, {
    algorithm: 'oauth2',
    execute: [openid.allowInsecureRequests],
    [openid.customFetch]: (url, options) => atService(serviceUrl, url, options as RequestInit),
  });

async function ownerBrowser(url: string) {
  const workspace = await makeWorkspace();
  const owner = await makeUser();
  await addMember(workspace.id, owner.id, 'owner');
  return consentClient(url, await signInAs(url, owner));
}
