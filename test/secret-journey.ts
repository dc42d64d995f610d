import { expect } from 'vitest';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { pool } from '#server/core/database/db.ts';
import { apiClient } from '#test/api-client.ts';
import { consentClient, formOf, REQUEST } from '#test/consent-client.ts';
import { addMember, makeCode, makeUser } from '#test/factories.ts';
import { rawRequest } from '#test/raw-request.ts';
import { PLATFORM } from '#test/settings.ts';
import { signInAs } from '#test/sign-in.ts';
import { basic, CREDENTIALS, tokenClient, tokensOf } from '#test/token-client.ts';

type Journey = {
  /** What its secrets are named after. */
  server: string;
  url: string;
  workspaceId: string;
  /** Whether consent is given on the page, or in its place. */
  byPage: boolean;
  /** Where every secret that is met is kept, by its name. */
  secrets: Record<string, string>;
};

/** What a connection was made with, for further requests of the platform. */
export type Connected = { code: string; verifier: string; accessToken: string; refreshToken: string };

/** Sign-in, consent, both grants, API calls, deliveries and refusals: all that handles a secret, at one server. */
export async function connectAndCall({
  server,
  url,
  workspaceId,
  byPage,
  secrets,
}: Journey): Promise<Connected> {
  const platform = tokenClient(url);
  const owner = await makeUser();
  await addMember(workspaceId, owner.id, 'owner');
  const cookie = await signInAs(url, owner);
  secrets[`${server} session`] = decodeURIComponent(cookie.split('=')[1] ?? '').split('.')[0] ?? '';
  const verifier = `the-verifier-that-only-the-platform-knows-0123456789-${server}`;
  const query = { ...REQUEST, state: 'the-state-of-the-platform', code_challenge: verifier };
  const { form, code } = byPage
    ? await approveByPage(url, cookie, query)
    : await approveHere(workspaceId, owner, verifier);
  await platform.exchange(code, { code_verifier: verifier.toUpperCase() });
  const first = tokensOf(await platform.exchange(code, { code_verifier: verifier }));
  const { access_token, refresh_token } = tokensOf(await platform.refresh(first.refresh_token));
  Object.assign(secrets, {
    ...(form ? { [`${server} form secret`]: form } : {}),
    [`${server} code`]: code,
    [`${server} replaced access token`]: first.access_token,
    [`${server} access token`]: access_token,
    [`${server} refresh token`]: refresh_token,
  });

  const api = apiClient(url, access_token);
  const hook = { event: 'conversation.created', target_url: `https://${PLATFORM.hooksHost}/1` };
  const message = { to_email: `ada@${server}.test`, subject: 'Hello', content: 'Hello' };
  const statuses = [
    await api('GET', '/me'),
    await api('POST', '/hooks', hook),
    await api('POST', '/conversations', message),
  ];
  expect(statuses.map(({ status }) => status)).toEqual([200, 201, 201]);
  await api('POST', '/hooks', '{not json');
  await apiClient(url, first.access_token)('GET', '/me');
  const guess = basic(undefined, `${CREDENTIALS.client_secret}x`);
  await platform.post('/oauth/token', { token: access_token }, guess);
  await sendWhereItDoesNotBelong(url, { code, access_token, refresh_token });
  return { code, verifier, accessToken: access_token, refreshToken: refresh_token };
}

/** By the page, and once more with the same page. */
async function approveByPage(url: string, cookie: string, query: Record<string, string>) {
  const browser = consentClient(url, cookie);
  const form = formOf(await browser.open(query));
  const approved = await browser.post(form);
  await browser.post(form);
  return { form: form.form, code: approved.location?.searchParams.get('code') ?? '' };
}

/** Without a page. */
async function approveHere(workspaceId: string, teammate: Teammate, verifier: string) {
  const challenge = { value: verifier, method: 'plain' as const };
  return { form: undefined, code: await makeCode(workspaceId, teammate, { state: undefined, challenge }) };
}

/** Secrets in addresses, names and headers, as broken clients send them. */
async function sendWhereItDoesNotBelong(url: string, tokens: Record<string, string>) {
  const query = new URLSearchParams({ ...tokens, ...CREDENTIALS });
  for (const [method, path] of [
    ['POST', '/oauth/token'],
    ['POST', '/oauth/revoke'],
    ['GET', '/oauth/authorize'],
    ['POST', '/oauth/authorize'],
    ['GET', '/api/automation/v1/me'],
    ['GET', '/api/auth/get-session'],
    ['GET', '/live'],
    ['GET', '/.well-known/oauth-authorization-server'],
  ] as const) {
    await fetch(`${url}${path}?${query}`, { method, redirect: 'manual' }).then((response) => response.text());
  }
  for (const token of Object.values(tokens)) {
    await fetch(`${url}/api/automation/v1/hooks/${token}`, {
      method: 'DELETE',
      headers: { authorization: token, 'x-request-id': token, 'user-agent': token, cookie: `a=${token}` },
    });
    await fetch(`${url}/api/automation/v1/${token}`);
    await rawRequest(url, { path: `/${token}`, method: token, headers: { [token]: token } }).catch(
      () => null,
    );
  }
}

/** Takes one table after the other away, and has every server meet that. */
export async function breakTables(urls: string[], connected: Connected): Promise<void> {
  const { code, verifier, accessToken, refreshToken } = connected;
  for (const table of [
    'authorization_codes',
    'access_tokens',
    'refresh_tokens',
    'connections',
    'members',
    'audit_entries',
    'rate_limits',
  ]) {
    await pool().query(`alter table ${table} rename to away`);
    for (const url of urls) {
      const platform = tokenClient(url);
      await platform.exchange(code, { code_verifier: `${verifier}x` });
      await platform.refresh(refreshToken);
      await platform.revoke('kza_unknown');
      const refresh = { grant_type: 'refresh_token', refresh_token: refreshToken };
      await platform.post('/oauth/token', refresh, basic());
      await apiClient(url, accessToken)('GET', '/me');
    }
    await pool().query(`alter table away rename to ${table}`);
  }
}
