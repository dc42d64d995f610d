import { describe, expect } from 'vitest';
import { pool } from '#server/core/database/pools.ts';
import { formOf, REQUEST } from '#test/clients/consent-client.ts';
import { PASSWORD, trySignIn } from '#test/clients/sign-in.ts';
import type { TokenResponse } from '#test/clients/token-client.ts';
import { makeConnection, makeWaitingConnection } from '#test/fixtures/factories.ts';
import { test } from '#test/fixtures/platform-test.ts';

describe('docs/rulings.md 4.8: an internal error never makes the platform ask its user to reconnect', () => {
  test.for(['authorization_codes', 'members', 'refresh_tokens', 'access_tokens'])(
    'an exchange without the table %s returns 503, and the code stays valid',
    async (table, { platform }) => {
      const { code } = await makeWaitingConnection();
      expectFault(await without(table, () => platform.exchange(code)));
      expect((await platform.exchange(code)).status).toBe(200);
    },
  );

  test.for(['refresh_tokens', 'members', 'access_tokens'])(
    'a refresh without the table %s returns 503, and the tokens stay valid',
    async (table, { platform, getMe }) => {
      const { refreshToken, accessToken } = await makeConnection();
      expectFault(await without(table, () => platform.refresh(refreshToken)));
      expect((await getMe(accessToken)).status).toBe(200);
      expect((await platform.refresh(refreshToken)).status).toBe(200);
    },
  );

  test('a failed revocation returns 503 and changes nothing, and succeeds when repeated', async ({
    platform,
    getMe,
  }) => {
    const { refreshToken, accessToken } = await makeConnection();
    const me = () => getMe(accessToken);
    expectFault(await without('hooks', () => platform.revoke(refreshToken)));
    expect((await me()).status).toBe(200);
    expect((await platform.revoke(refreshToken)).status).toBe(200);
    expect((await me()).status).toBe(401);
  });

  test('an unknown client is refused even during a database error', async ({ platform }) => {
    const { code } = await makeWaitingConnection();
    const response = await without('authorization_codes', () => platform.exchange(code, { client_id: 'x' }));
    expect(response.status).toBe(401);
  });
});

describe('docs/rulings.md 2.7: when the limiter itself fails, calls pass', () => {
  test('token, API, sign-in and approval work without the limiter’s table', async ({
    service,
    platform,
    browserOf,
    getMe,
  }) => {
    const { code } = await makeWaitingConnection();
    const { accessToken, teammate } = await makeConnection();
    await without('rate_limits', async () => {
      expect((await platform.exchange(code)).status).toBe(200);
      expect((await getMe(accessToken)).status).toBe(200);
      expect((await trySignIn(service.url, { email: teammate.email, password: PASSWORD })).status).toBe(200);
      const browser = await browserOf(teammate);
      expect((await browser.post(formOf(await browser.open()))).status).toBe(303);
    });
  });
});

describe('docs/rulings.md 2.3: an internal error on the consent page', () => {
  test('returns 500 with an error page and creates no connection; a retry works', async ({ browserOf }) => {
    const { teammate, workspaceId } = await makeConnection();
    const browser = await browserOf(teammate);
    const query = { ...REQUEST, state: 'a b&c' };
    const fields = formOf(await browser.open(query));
    const response = await without('authorization_codes', () => browser.post(fields));
    expect(response.status).toBe(500);
    expect(response.page).toEqual({
      kind: 'fault',
      platformName: 'Workflow Platform',
      serviceName: 'Shared Inbox',
      retryUrl: `/oauth/authorize?${new URLSearchParams(query)}`,
    });
    expect(response.location).toBeNull();
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    const { rowCount } = await pool().query('select from connections where workspace_id = $1', [workspaceId]);
    expect(rowCount).toBe(1);
    const again = await browser.post(formOf(await browser.open(query)));
    expect(again.location?.searchParams.get('state')).toBe('a b&c');
  });

  test('also occurs when the page is loaded, but the client is still checked first', async ({
    browserOf,
  }) => {
    const { teammate } = await makeConnection();
    const browser = await browserOf(teammate);
    const [shown, foreign] = await without('consent_forms', async () => [
      await browser.open(),
      await browser.open({ ...REQUEST, redirect_uri: 'https://attacker.test/' }),
    ]);
    expect([shown?.status, shown?.page?.kind]).toEqual([500, 'fault']);
    expect([foreign?.status, foreign?.page?.kind]).toEqual([400, 'unknown_client']);
  });
});

async function without<T>(table: string, act: () => Promise<T>): Promise<T> {
  await pool().query(`alter table ${table} rename to ${table}_away`);
  try {
    return await act();
  } finally {
    await pool().query(`alter table ${table}_away rename to ${table}`);
  }
}

function expectFault(response: TokenResponse) {
  expect([response.status, response.body]).toEqual([
    503,
    { message: 'The service cannot answer right now. Try again in a few seconds.' },
  ]);
  expect(response.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
}
