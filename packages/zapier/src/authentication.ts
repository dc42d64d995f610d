import type { Authentication, Bundle, HttpResponse, ZObject } from 'zapier-platform-core';
import { callService } from './call-service.ts';
import { serviceUrl } from './service-url.ts';

type Tokens = { access_token: string; refresh_token: string };

/** Returns the URL of the consent page. With `enablePkce`, Zapier adds the code challenge (S256). */
async function authorizeUrl(_z: ZObject, bundle: Bundle): Promise<string> {
  const { redirect_uri, state } = bundle.inputData;
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: setting('CLIENT_ID'),
    redirect_uri: String(redirect_uri),
    state: String(state),
  });
  return `${serviceUrl()}/oauth/authorize?${query}`;
}

async function getAccessToken(z: ZObject, bundle: Bundle): Promise<Tokens> {
  const { code, redirect_uri, code_verifier } = bundle.inputData;
  return requestTokens(z, {
    grant_type: 'authorization_code',
    code: String(code),
    redirect_uri: String(redirect_uri),
    ...(code_verifier ? { code_verifier: String(code_verifier) } : {}),
  });
}

async function refreshAccessToken(z: ZObject, bundle: Bundle): Promise<Tokens> {
  const { refresh_token } = bundle.authData;
  return requestTokens(z, { grant_type: 'refresh_token', refresh_token: refresh_token ?? '' });
}

async function requestTokens(z: ZObject, grant: Record<string, string>): Promise<Tokens> {
  const response = await z.request<Tokens>({
    url: `${serviceUrl()}/oauth/token`,
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'application/json' },
    body: { ...grant, client_id: setting('CLIENT_ID'), client_secret: setting('CLIENT_SECRET') },
    skipThrowForStatus: true,
  });
  // The authorization code or refresh token is invalid: the user must connect again.
  if (response.status === 400) throw new z.errors.ExpiredAuthError(describeRefusal(response));
  response.skipThrowForStatus = false;
  response.throwForStatus();
  const { access_token, refresh_token } = response.data;
  return { access_token, refresh_token };
}

function describeRefusal(response: HttpResponse): string {
  const { error_description } = response.data as { error_description?: string };
  return `${error_description ?? 'The service refused the connection.'} Connect the account again.`;
}

function setting(name: 'CLIENT_ID' | 'CLIENT_SECRET'): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set. Set it with zapier-platform env:set.`);
  return value;
}

/** OAuth 2.0 with PKCE (RFC 7636). */
export const authentication = {
  type: 'oauth2',
  oauth2Config: {
    authorizeUrl,
    getAccessToken,
    refreshAccessToken,
    autoRefresh: true,
    enablePkce: true,
  },
  test: (z: ZObject) => callService<Record<string, string>>(z, { method: 'GET', path: '/me' }),
  connectionLabel: '{{workspace_name}} ({{email}})',
} satisfies Authentication;
