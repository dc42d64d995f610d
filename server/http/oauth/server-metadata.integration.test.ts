import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  randomPKCECodeVerifier,
  randomState,
  refreshTokenGrant,
  tokenRevocation,
} from 'openid-client';
import { describe, expect, test } from 'vitest';
import { apiClient } from '#test/clients/api-client.ts';
import { consentClient, formOf } from '#test/clients/consent-client.ts';
import { newAddress, ORIGIN, signInAs } from '#test/clients/sign-in.ts';
import { addMember, makeUser, makeWorkspace } from '#test/fixtures/factories.ts';
import { PLATFORM, withTestService } from '#test/fixtures/service.ts';

const service = withTestService();
const WELL_KNOWN = '/.well-known/oauth-authorization-server';

/** Sends requests for the service's public address to the test server. */
const atService = (url: string, options: RequestInit): Promise<Response> =>
  fetch(url.replace(ORIGIN, service.url), {
    ...options,
    headers: { ...Object.fromEntries(new Headers(options.headers)), 'x-forwarded-for': newAddress() },
  });

/** Discovers the endpoints as a strict client that only knows the issuer, its id and its secret. */
const discover = (authentication: ClientAuth): Promise<Configuration> =>
  discovery(new URL(ORIGIN), PLATFORM.clientId, undefined, authentication, {
    algorithm: 'oauth2',
    execute: [allowInsecureRequests],
    [customFetch]: (url, options) => atService(url, options as RequestInit),
  });

async function ownerBrowser() {
  const workspace = await makeWorkspace();
  const owner = await makeUser();
  await addMember(workspace.id, owner.id, 'owner');
  return consentClient(service.url, await signInAs(service.url, owner));
}

describe('RFC 8414 §2, §3: the metadata document', () => {
  test('has exactly these fields', async () => {
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

  test('is public, needs no credentials and ignores the query', async () => {
    const response = await fetch(`${service.url}${WELL_KNOWN}?issuer=https://attacker.test`);
    expect(await response.text()).not.toContain('attacker');
    const head = await fetch(service.url + WELL_KNOWN, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  test.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('%s is answered with 405', async (method) => {
    const response = await fetch(service.url + WELL_KNOWN, { method });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  test('exists at this path only', async () => {
    const unknown = await fetch(`${service.url}${WELL_KNOWN}/more`);
    expect(await unknown.text()).not.toContain('authorization_endpoint');
  });
});

describe('RFC 8414 §3.3: a strict client completes OAuth with nothing but the metadata', () => {
  test.each<[string, ClientAuth]>([
    ['in the form', ClientSecretPost(PLATFORM.clientSecret)],
    ['by HTTP Basic', ClientSecretBasic(PLATFORM.clientSecret)],
  ])('authenticating %s', async (_how, authentication) => {
    const client = await discover(authentication);
    expect(client.serverMetadata().supportsPKCE()).toBe(true);

    const [verifier, state] = [randomPKCECodeVerifier(), randomState()];
    const address = buildAuthorizationUrl(client, {
      redirect_uri: PLATFORM.returnUrl,
      scope: 'automation',
      state,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    expect(address.origin + address.pathname).toBe(`${ORIGIN}/oauth/authorize`);
    const browser = await ownerBrowser();
    const approved = await browser.post(formOf(await browser.open(address.searchParams.toString())));
    if (!approved.location) throw new Error('Not approved.');

    const tokens = await authorizationCodeGrant(client, approved.location, {
      expectedState: state,
      pkceCodeVerifier: verifier,
    });
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 7200, scope: 'automation' });
    const status = async (token: string) => (await apiClient(service.url, token)('GET', '/me')).status;
    expect(await status(tokens.access_token)).toBe(200);

    const refreshed = await refreshTokenGrant(client, tokens.refresh_token ?? '');
    expect(refreshed.refresh_token).toBe(tokens.refresh_token);
    expect([await status(tokens.access_token), await status(refreshed.access_token)]).toEqual([401, 200]);

    await tokenRevocation(client, refreshed.access_token, { token_type_hint: 'access_token' });
    expect(await status(refreshed.access_token)).toBe(401);
    await expect(refreshTokenGrant(client, tokens.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });

  test('and gets the RFCs’ errors for a wrong secret and a cancelled request', async () => {
    const stranger = await discover(ClientSecretBasic('guessed'));
    await expect(refreshTokenGrant(stranger, 'kzr_x')).rejects.toMatchObject({ status: 401 });

    const client = await discover(ClientSecretPost(PLATFORM.clientSecret));
    const state = randomState();
    const address = buildAuthorizationUrl(client, { redirect_uri: PLATFORM.returnUrl, state });
    const browser = await ownerBrowser();
    const page = await browser.open(address.searchParams.toString());
    const cancelled = await browser.post(formOf(page, 'cancel'));
    const returned = cancelled.location ?? new URL(ORIGIN);
    await expect(authorizationCodeGrant(client, returned, { expectedState: state })).rejects.toMatchObject({
      error: 'access_denied',
    });
  });
});
