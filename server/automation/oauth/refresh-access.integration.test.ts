import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { tokensOf } from '#test/clients/token-client.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { type GetMe, test } from '#test/fixtures/platform-test.ts';
import { refreshTogether } from '#test/fixtures/refresh-together.ts';

describe('RFC 6749 §6, docs/spec.md §5: refreshing', () => {
  test('returns a new access token and the same refresh token, with exactly the keys of the contract', async ({
    platform,
  }) => {
    const { accessToken, refreshToken } = await makeConnection();
    const response = await platform.refresh(refreshToken);
    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      access_token: expect.stringMatching(/^kza_[0-9A-Za-z]{43}$/),
      refresh_token: refreshToken,
      token_type: 'Bearer',
      expires_in: 7200,
      scope: 'automation',
    });
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(tokensOf(response).access_token).not.toBe(accessToken);
  });

  test('invalidates the previous access token immediately', async ({ platform, getMe }) => {
    const { accessToken, refreshToken } = await makeConnection();
    expect(await statusOf(getMe, accessToken)).toBe(200);
    const { access_token } = tokensOf(await platform.refresh(refreshToken));
    const refused = await getMe(accessToken);
    expect(refused.status).toBe(401);
    expect(refused.body).toEqual({ message: 'The connection has expired, reconnect.' });
    expect(refused.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
    expect(await statusOf(getMe, access_token)).toBe(200);
  });

  test('works after the access token has expired, any number of times', async ({ platform, getMe }) => {
    const { id, accessToken, refreshToken } = await makeConnection();
    await db().$executeRaw`update access_tokens set expires_at = now() where connection_id = ${id}::uuid`;
    expect(await statusOf(getMe, accessToken)).toBe(401);
    for (let i = 0; i < 3; i += 1) {
      const { access_token } = tokensOf(await platform.refresh(refreshToken));
      expect(await statusOf(getMe, access_token)).toBe(200);
    }
    expect(await db().accessToken.count({ where: { connectionId: id } })).toBe(4);
  });

  test('affects only its connection, and no other one of the same teammate and workspace', async ({
    platform,
    getMe,
  }) => {
    const first = await makeConnection();
    const second = await makeConnection({ workspaceId: first.workspaceId, teammate: first.teammate });
    await platform.refresh(second.refreshToken);
    expect(await statusOf(getMe, first.accessToken)).toBe(200);
    expect(await statusOf(getMe, second.accessToken)).toBe(401);
  });

  test('eight at the same time return tokens that all work, until the next refresh ends them together', async ({
    service,
    platform,
    getMe,
    connection,
  }) => {
    const { accessToken, refreshToken } = connection;
    const responses = await refreshTogether([service.url], connection, 8);
    const tokens = responses.map((response) => tokensOf(response));
    expect(new Set(tokens.map(({ refresh_token }) => refresh_token))).toEqual(new Set([refreshToken]));
    const accessTokens = tokens.map(({ access_token }) => access_token);
    expect(new Set(accessTokens).size).toBe(8);
    expect(await statusesOf(getMe, accessTokens)).toEqual(Array(8).fill(200));
    expect(await statusOf(getMe, accessToken)).toBe(401);
    const { access_token } = tokensOf(await platform.refresh(refreshToken));
    expect(await statusesOf(getMe, accessTokens)).toEqual(Array(8).fill(401));
    expect(await statusOf(getMe, access_token)).toBe(200);
  });

  test('thirty at the same time all succeed, and the newest twenty tokens work', async ({
    service,
    getMe,
    connection,
  }) => {
    const responses = await refreshTogether([service.url], connection, 30);
    const tokens = responses.map((response) => tokensOf(response).access_token);
    const statuses = await statusesOf(getMe, tokens);
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(await db().accessToken.count({ where: { connectionId: connection.id } })).toBe(31);
  });

  test('a live token that is not the newest ends the connection when it is revoked', async ({
    service,
    platform,
    getMe,
    connection,
  }) => {
    const responses = await refreshTogether([service.url], connection, 3);
    const tokens = responses.map((response) => tokensOf(response).access_token);
    await platform.revoke(tokens[1] ?? '');
    expect(await statusesOf(getMe, tokens)).toEqual([401, 401, 401]);
  });

  test('concurrently with a revocation never leaves a working token', async ({ platform, getMe }) => {
    for (let round = 0; round < 5; round += 1) {
      const { refreshToken } = await makeConnection();
      const refreshes = Array.from({ length: 5 }, () => platform.refresh(refreshToken));
      const [, ...responses] = await Promise.all([platform.revoke(refreshToken), ...refreshes]);
      for (const response of responses) {
        expect([200, 400]).toContain(response.status);
        if (response.status === 200) expect(await statusOf(getMe, tokensOf(response).access_token)).toBe(401);
      }
      expect((await platform.refresh(refreshToken)).body).toMatchObject({ error: 'invalid_grant' });
    }
  });
});

const statusesOf = (getMe: GetMe, accessTokens: string[]) =>
  Promise.all(accessTokens.map((token) => statusOf(getMe, token)));
const statusOf = async (getMe: GetMe, accessToken: string) => (await getMe(accessToken)).status;
