import { describe, expect } from 'vitest';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { basic, CREDENTIALS, type TokenResponse, tokensOf } from '#test/clients/token-client.ts';
import { countLockWaiters } from '#test/database/count-lock-waiters.ts';
import { makeConnection, makeWaitingConnection } from '#test/fixtures/factories.ts';
import { type ApiOf, type Platform, test } from '#test/fixtures/platform-test.ts';
import { PLATFORM } from '#test/fixtures/service.ts';
import { until } from '#test/fixtures/until.ts';

const CHALLENGE = 'c'.repeat(43);

describe('RFC 6749 §4.1.2, §10.5: a code presented twice may be stolen, so its connection ends', () => {
  test('tokens stop working, hooks are removed, the slot is freed and the audit log has the reason', async ({
    platform,
    apiOf,
  }) => {
    const connection = await connected(platform, apiOf);
    expectInvalidGrant(await platform.exchange(connection.code, { code_verifier: CHALLENGE }));
    await expectEnded(platform, connection);
  });

  test.for([
    ['no redirect address', { redirect_uri: '' }],
    ['another redirect address', { redirect_uri: 'https://attacker.test/' }],
    ['no verifier', {}],
    ['a wrong verifier', { code_verifier: 'x'.repeat(43) }],
    ['a malformed verifier', { code_verifier: 'x' }],
  ] as const)('even when the second request has %s', async ([_what, fields], { platform, apiOf }) => {
    const connection = await connected(platform, apiOf);
    expectInvalidGrant(await platform.exchange(connection.code, fields as Record<string, string>));
    await expectEnded(platform, connection);
  });

  test('even after the code has expired', async ({ platform, apiOf }) => {
    const connection = await connected(platform, apiOf);
    await db().$executeRaw`
      update authorization_codes set expires_at = now() where connection_id = ${connection.id}::uuid`;
    expectInvalidGrant(await platform.exchange(connection.code, { code_verifier: CHALLENGE }));
    await expectEnded(platform, connection);
  });

  test('even after a refresh: the new access token stops working too', async ({ platform, apiOf }) => {
    const connection = await connected(platform, apiOf);
    const refreshed = tokensOf(await platform.refresh(connection.refresh_token));
    await platform.exchange(connection.code, { code_verifier: CHALLENGE });
    await expectEnded(platform, { ...connection, api: apiOf(refreshed.access_token) });
  });

  test('a third presentation changes nothing more', async ({ platform, apiOf }) => {
    const connection = await connected(platform, apiOf);
    for (let i = 0; i < 3; i += 1) expectInvalidGrant(await platform.exchange(connection.code));
    await expectEnded(platform, connection);
  });

  test('other connections of the workspace stay active and keep its slot', async ({
    platform,
    getMe,
    apiOf,
  }) => {
    const connection = await connected(platform, apiOf);
    const { workspaceId, teammate } = connection;
    const other = await makeConnection({ workspaceId, teammate });
    await platform.exchange(connection.code, { code_verifier: CHALLENGE });
    expect((await connection.api('GET', '/me')).status).toBe(401);
    expect((await getMe(other.accessToken)).status).toBe(200);
    expect(await db().integration.count({ where: { workspaceId } })).toBe(1);
  });
});

describe('docs/rulings.md 4.4: other errors of a request that presents a used code', () => {
  const grant = {
    grant_type: 'authorization_code',
    redirect_uri: PLATFORM.returnUrl,
    code_verifier: CHALLENGE,
  } as const;
  const named = { ...grant, ...CREDENTIALS };
  const pairs = (fields: Record<string, string>): [string, string][] => Object.entries(fields);

  test.for<[string, (code: string) => [string, string][], string, Record<string, string>?]>([
    ['its code sent twice', (code) => [...pairs(named), ['code', code], ['code', code]], 'invalid_request'],
    [
      'another code after it',
      (code) => [...pairs(named), ['code', code], ['code', 'kzc_other']],
      'invalid_request',
    ],
    [
      'another code before it',
      (code) => [...pairs(named), ['code', 'kzc_other'], ['code', code]],
      'invalid_request',
    ],
    [
      'the redirect address sent twice',
      (code) => [...pairs(named), ['code', code], ['redirect_uri', PLATFORM.returnUrl]],
      'invalid_request',
    ],
    [
      'the client id sent twice',
      (code) => [...pairs(named), ['code', code], ['client_id', PLATFORM.clientId]],
      'invalid_request',
    ],
    [
      'an unknown parameter sent twice',
      (code) => [...pairs({ ...named, code }), ['x', '1'], ['x', '2']],
      'invalid_request',
    ],
    [
      'the grant type sent twice',
      (code) => [...pairs({ ...named, code }), ['grant_type', 'refresh_token']],
      'invalid_request',
    ],
    ['no grant type', (code) => pairs({ ...named, code, grant_type: '' }), 'unsupported_grant_type'],
    [
      'an unknown grant type',
      (code) => pairs({ ...named, code, grant_type: 'password' }),
      'unsupported_grant_type',
    ],
    [
      'the other grant and an unknown token',
      (code) => pairs({ ...named, code, grant_type: 'refresh_token', refresh_token: 'kzr_x' }),
      'invalid_grant',
    ],
    [
      'two authentication methods',
      (code) => pairs({ ...named, code }),
      'invalid_request',
      basic(PLATFORM.clientId, PLATFORM.clientSecret),
    ],
  ])('%s: its connection ends', async ([_what, fieldsOf, error, headers = {}], { platform, apiOf }) => {
    const connection = await connected(platform, apiOf);
    const response = await platform.post('/oauth/token', fieldsOf(connection.code), headers);
    expect([response.status, response.body]).toMatchObject([400, { error }]);
    await expectEnded(platform, connection);
  });

  test('a valid refresh ignores a used code and ends nothing', async ({ platform, apiOf }) => {
    const connection = await connected(platform, apiOf);
    const { code, refresh_token, id } = connection;
    const fields = { ...CREDENTIALS, grant_type: 'refresh_token', refresh_token, code };
    tokensOf(await platform.post('/oauth/token', fields));
    await platform.post('/oauth/revoke', { ...CREDENTIALS, code });
    expect((await db().connection.findUniqueOrThrow({ where: { id } })).endedAt).toBeNull();
  });

  test('an invalid request does not use up an unused code, and ends nothing', async ({ platform }) => {
    const { code, id } = await makeWaitingConnection();
    const wrong = { ...CREDENTIALS, redirect_uri: PLATFORM.returnUrl, code };
    for (const extra of [
      [['code', code]],
      [
        ['scope', 'a'],
        ['scope', 'b'],
      ],
      [['grant_type', 'password']],
    ] as [string, string][][]) {
      expect((await platform.post('/oauth/token', [...pairs(wrong), ...extra])).status).toBe(400);
    }
    expect((await db().connection.findUniqueOrThrow({ where: { id } })).endedAt).toBeNull();
    tokensOf(await platform.exchange(code));
  });
});

describe('RFC 6749 §10.5: an attacker without the platform’s credentials cannot end connections with old codes', () => {
  test('a used code without the right credentials changes nothing', async ({ platform, apiOf }) => {
    const connection = await connected(platform, apiOf);
    expect((await platform.exchange(connection.code, { client_secret: 'guessed' })).status).toBe(401);
    expect((await platform.exchange(connection.code, { client_id: '' })).status).toBe(401);
    const { code } = connection;
    const guessed = { ...CREDENTIALS, client_secret: 'guessed', code };
    for (const fields of [
      [...Object.entries(guessed), ['code', code]],
      [...Object.entries({ code, grant_type: 'authorization_code' }), ['scope', 'a'], ['scope', 'b']],
      [
        ...Object.entries({ ...CREDENTIALS, code }).filter(([name]) => name !== 'client_secret'),
        ['code', code],
      ],
    ] as [string, string][][]) {
      expect((await platform.post('/oauth/token', fields)).status).toBe(400);
    }
    expect((await connection.api('GET', '/me')).status).toBe(200);
  });
});

describe('RFC 6749 §4.1.2: a code is used once, despite concurrent exchanges', () => {
  test('exactly one of a hundred parallel exchanges of each of five codes returns tokens, and the reuse ends the connection', async ({
    platform,
    getMe,
  }) => {
    for (let round = 0; round < 5; round += 1) {
      const { code, id, workspaceId } = await makeWaitingConnection();
      const all = await Promise.all(Array.from({ length: 100 }, () => platform.exchange(code)));
      // On a busy machine, some wait too long for the locked row. They are asked to try again, and change nothing.
      const responses = all.filter(({ status }) => status !== 503);
      const winners = responses.filter(({ status }) => status === 200);
      expect(winners).toHaveLength(1);
      for (const response of responses) if (response !== winners[0]) expectInvalidGrant(response);

      const [winner] = winners.map(tokensOf);
      expect((await getMe(winner?.access_token ?? '')).status).toBe(401);
      expect((await platform.refresh(winner?.refresh_token ?? '')).status).toBe(400);
      expect((await db().connection.findUniqueOrThrow({ where: { id } })).endReason).toBe('code_reused');
      expect(await db().integration.count({ where: { workspaceId } })).toBe(0);
      expect(await db().auditEntry.count({ where: { workspaceId, kind: 'connection_ended' } })).toBe(1);
    }
  });

  test('exactly one of twenty parallel exchanges returns tokens, and the others end its connection', async ({
    platform,
    getMe,
  }) => {
    const { code, id, workspaceId } = await makeWaitingConnection();
    const responses = await Promise.all(Array.from({ length: 20 }, () => platform.exchange(code)));
    const [winner, ...others] = responses.filter(({ status }) => status === 200);
    expect(others).toEqual([]);
    expect(responses.filter(({ status }) => status === 400)).toHaveLength(19);
    for (const response of responses) if (response !== winner) expectInvalidGrant(response);
    expect(await db().accessToken.count({ where: { connectionId: id } })).toBe(1);
    expect(await db().refreshToken.count({ where: { connectionId: id } })).toBe(1);

    const tokens = winner ? tokensOf(winner) : undefined;
    expect((await getMe(tokens?.access_token ?? '')).status).toBe(401);
    expect((await platform.refresh(tokens?.refresh_token ?? '')).status).toBe(400);
    expect((await db().connection.findUniqueOrThrow({ where: { id } })).endReason).toBe('code_reused');
    expect(await db().integration.count({ where: { workspaceId } })).toBe(0);
  });

  test('one of eight exchanges that all found the code unused wins the update, and the others end the connection', async ({
    platform,
  }) => {
    const { code, id } = await makeWaitingConnection();
    const { exchanges } = await inTransaction(async (tx) => {
      await tx.$executeRaw`select from connections where id = ${id}::uuid for no key update`;
      const started = Array.from({ length: 8 }, () => platform.exchange(code));
      await until('all wait for the connection', async () => (await countLockWaiters()) === 8);
      return { exchanges: started };
    });
    const statuses = (await Promise.all(exchanges)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 400, 400, 400, 400, 400, 400, 400]);
    expect((await db().connection.findUniqueOrThrow({ where: { id } })).endReason).toBe('code_reused');
  });
});

/** Creates a connection with a challenge, exchanges its code and subscribes a hook. */
async function connected(platform: Platform, apiOf: ApiOf) {
  const challenge = { value: CHALLENGE, method: 'plain' as const };
  const connection = await makeWaitingConnection({ request: { state: undefined, challenge } });
  const tokens = tokensOf(await platform.exchange(connection.code, { code_verifier: CHALLENGE }));
  const api = apiOf(tokens.access_token);
  const target_url = `https://${PLATFORM.hooksHost}/1`;
  expect((await api('POST', '/hooks', { event: 'contact.created', target_url })).status).toBe(201);
  return { ...connection, ...tokens, api };
}
type Connected = Awaited<ReturnType<typeof connected>>;

function expectInvalidGrant(response: TokenResponse) {
  expect([response.status, response.body]).toEqual([
    400,
    {
      error: 'invalid_grant',
      error_description: 'The code is unknown, expired or already used. Ask the teammate to connect again.',
    },
  ]);
}

async function expectEnded(platform: Platform, { id, workspaceId, api, refresh_token }: Connected) {
  expect(await db().connection.findUnique({ where: { id } })).toMatchObject({
    endedAt: expect.any(Date),
    endReason: 'code_reused',
  });
  expect((await platform.refresh(refresh_token)).body).toMatchObject({ error: 'invalid_grant' });
  const me = await api('GET', '/me');
  expect(me.status).toBe(401);
  expect(me.body).toEqual({ message: 'The connection has expired, reconnect.' });
  expect(await db().hook.findMany({ where: { connectionId: id } })).toMatchObject([
    { removedAt: expect.any(Date), removalReason: 'revoked_by_platform' },
  ]);
  expect(await db().integration.count({ where: { workspaceId } })).toBe(0);
  const entries = await db().auditEntry.findMany({ where: { workspaceId, kind: 'connection_ended' } });
  expect(entries).toMatchObject([{ connectionId: id, userId: null, data: { reason: 'code_reused' } }]);
}
