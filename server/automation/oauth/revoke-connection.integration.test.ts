import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { basic, CREDENTIALS, type TokenResponse, tokensOf } from '#test/clients/token-client.ts';
import { makeConnection, makeWaitingConnection } from '#test/fixtures/factories.ts';
import { test } from '#test/fixtures/platform-test.ts';
import { PLATFORM } from '#test/fixtures/service.ts';

describe('RFC 7009 §2, docs/spec.md §4.1: revoking', () => {
  test.for(['accessToken', 'refreshToken'] as const)(
    'by the %s ends the whole connection',
    async (which, { connection, api, platform, getMe }) => {
      const { id, workspaceId, accessToken, refreshToken } = connection;
      const target_url = `https://${PLATFORM.hooksHost}/1`;
      await api('POST', '/hooks', { event: 'contact.created', target_url });
      expectAnswered(await platform.revoke(connection[which]));

      const refused = await getMe(accessToken);
      expect([refused.status, refused.body]).toEqual([
        401,
        { message: 'The connection has expired, reconnect.' },
      ]);
      expect((await platform.refresh(refreshToken)).body).toMatchObject({ error: 'invalid_grant' });
      expect(await db().connection.findUnique({ where: { id } })).toMatchObject({
        endReason: 'revoked_by_platform',
      });
      expect(await db().hook.findMany({ where: { connectionId: id } })).toMatchObject([
        { removalReason: 'revoked_by_platform' },
      ]);
      expect(await db().integration.count({ where: { workspaceId } })).toBe(0);
      expect(
        await db().auditEntry.findMany({ where: { workspaceId, kind: 'connection_ended' } }),
      ).toMatchObject([{ connectionId: id, data: { reason: 'revoked_by_platform' } }]);
    },
  );

  test('by an expired access token also ends the connection', async ({ platform }) => {
    const { id, accessToken } = await makeConnection();
    await db().$executeRaw`update access_tokens set expires_at = now() where connection_id = ${id}::uuid`;
    expectAnswered(await platform.revoke(accessToken));
    expect((await db().connection.findUniqueOrThrow({ where: { id } })).endedAt).not.toBeNull();
  });

  test('by an access token that a refresh replaced ends nothing, as that token is already revoked (RFC 7009 §2.2)', async ({
    platform,
    getMe,
  }) => {
    const { id, accessToken, refreshToken } = await makeConnection();
    const { access_token } = tokensOf(await platform.refresh(refreshToken));
    expectAnswered(await platform.revoke(accessToken));
    expect((await getMe(access_token)).status).toBe(200);
    expect((await db().connection.findUniqueOrThrow({ where: { id } })).endedAt).toBeNull();
    expectAnswered(await platform.revoke(access_token));
    expect((await getMe(access_token)).status).toBe(401);
  });

  test('repeatedly returns the same response and is recorded once', async ({ platform }) => {
    const { workspaceId, accessToken, refreshToken } = await makeConnection();
    for (const token of [refreshToken, refreshToken, accessToken]) {
      expectAnswered(await platform.revoke(token));
    }
    const ended = { workspaceId, kind: 'connection_ended' };
    expect(await db().auditEntry.count({ where: ended })).toBe(1);
  });

  test('ten times concurrently returns the same response and is recorded once', async ({ platform }) => {
    const { workspaceId, refreshToken } = await makeConnection();
    const responses = await Promise.all(Array.from({ length: 10 }, () => platform.revoke(refreshToken)));
    for (const response of responses) expectAnswered(response);
    expect(await db().auditEntry.count({ where: { workspaceId, kind: 'connection_ended' } })).toBe(1);
  });

  test('an unknown, empty or missing token, or a code, returns the same response and ends nothing', async ({
    platform,
  }) => {
    const { code, id } = await makeWaitingConnection();
    for (const token of ['unknown', `kza_${'A'.repeat(43)}`, '', '\0', code]) {
      expectAnswered(await platform.revoke(token));
    }
    expectAnswered(await platform.post('/oauth/revoke', CREDENTIALS));
    expect((await db().connection.findUniqueOrThrow({ where: { id } })).endedAt).toBeNull();
    tokensOf(await platform.exchange(code));
  });

  test('ignores a token type hint', async ({ platform, getMe }) => {
    const { accessToken } = await makeConnection();
    const hinted = { ...CREDENTIALS, token: accessToken, token_type_hint: 'refresh_token' };
    expectAnswered(await platform.post('/oauth/revoke', hinted));
    expect((await getMe(accessToken)).status).toBe(401);
  });

  test('keeps the slot while another connection of the workspace is active', async ({ platform, getMe }) => {
    const first = await makeConnection();
    const { workspaceId, teammate } = first;
    const second = await makeConnection({ workspaceId, teammate });
    await platform.revoke(first.refreshToken);
    expect((await getMe(second.accessToken)).status).toBe(200);
    expect(await db().integration.count({ where: { workspaceId } })).toBe(1);
    await platform.revoke(second.refreshToken);
    expect(await db().integration.count({ where: { workspaceId } })).toBe(0);
  });
});

describe('RFC 7009 §2.1: an attacker without the platform’s credentials cannot revoke', () => {
  test('with no credentials, a wrong secret, or only the token', async ({ platform, getMe }) => {
    const { accessToken, refreshToken } = await makeConnection();
    const responses = await Promise.all([
      platform.post('/oauth/revoke', { token: refreshToken }),
      platform.post('/oauth/revoke', { ...CREDENTIALS, client_secret: 'guessed', token: refreshToken }),
      platform.post('/oauth/revoke', { token: refreshToken }, basic(undefined, 'guessed')),
      platform.post('/oauth/revoke', { token: refreshToken }, { authorization: `Bearer ${accessToken}` }),
    ]);
    for (const { status, body } of responses) {
      expect([status, body]).toMatchObject([401, { error: 'invalid_client' }]);
    }
    expect((await getMe(accessToken)).status).toBe(200);
  });

  test('and not with two tokens, because one may belong to another connection', async ({
    platform,
    getMe,
  }) => {
    const [mine, other] = [await makeConnection(), await makeConnection()];
    const twice: [string, string][] = [
      ...Object.entries(CREDENTIALS),
      ['token', mine.accessToken],
      ['token', other.accessToken],
    ];
    expect((await platform.post('/oauth/revoke', twice)).body).toMatchObject({ error: 'invalid_request' });
    expect([(await getMe(mine.accessToken)).status, (await getMe(other.accessToken)).status]).toEqual([
      200, 200,
    ]);
  });
});

function expectAnswered({ status, body, headers }: TokenResponse) {
  expect([status, body]).toEqual([200, []]);
  expect(headers.get('cache-control')).toBe('no-store');
}
