import { createHash } from 'node:crypto';
import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { formOf, REQUEST } from '#test/clients/consent-client.ts';
import { CREDENTIALS, type TokenResponse, tokensOf } from '#test/clients/token-client.ts';
import { makeWaitingConnection } from '#test/fixtures/factories.ts';
import { test } from '#test/fixtures/platform-test.ts';
import { PLATFORM } from '#test/fixtures/service.ts';

/** Example from RFC 7636, appendix B. */
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url');

describe('RFC 6749 §4.1.3, §5.1: a code is exchanged for tokens', () => {
  test('the response has exactly the keys and values of the contract, and must not be cached', async ({
    platform,
  }) => {
    const { code } = await makeWaitingConnection();
    const response = await platform.exchange(code);
    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      access_token: expect.stringMatching(/^kza_[0-9A-Za-z]{43}$/),
      refresh_token: expect.stringMatching(/^kzr_[0-9A-Za-z]{43}$/),
      token_type: 'Bearer',
      expires_in: 7200,
      scope: 'automation',
    });
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('pragma')).toBe('no-cache');
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  });

  test('the access token acts as the teammate who connected, for two hours', async ({ platform, getMe }) => {
    const { code, id, teammate, workspaceId } = await makeWaitingConnection();
    const { access_token } = tokensOf(await platform.exchange(code));
    const me = await getMe(access_token);
    expect(me.body).toMatchObject({ id, user_id: teammate.id, workspace_id: workspaceId });
    const [token] = await db().accessToken.findMany({ where: { connectionId: id } });
    expect(Number(token?.expiresAt) - Number(token?.createdAt)).toBe(7_200_000);
  });

  test('the connection counts as exchanged', async ({ platform }) => {
    const { code, id } = await makeWaitingConnection();
    await platform.exchange(code);
    const connection = await db().connection.findUniqueOrThrow({ where: { id } });
    expect(connection.exchangedAt).not.toBeNull();
    expect(connection.endedAt).toBeNull();
  });

  test('the requested scope is ignored', async ({ platform }) => {
    const { code } = await makeWaitingConnection();
    expect((await platform.exchange(code, { scope: 'admin' })).body).toMatchObject({ scope: 'automation' });
  });
});

describe('RFC 6749 §4.1.3: an attacker cannot exchange a stolen code', () => {
  test('with a redirect address that differs in case, slash, port, query or encoding', async ({
    platform,
  }) => {
    const { code } = await makeWaitingConnection();
    const addresses = [
      'https://attacker.test/',
      PLATFORM.returnUrl.toUpperCase(),
      PLATFORM.returnUrl.slice(0, -1),
      `${PLATFORM.returnUrl}/`,
      PLATFORM.returnUrl.replace('platform.test', 'platform.test:443'),
      PLATFORM.returnUrl.replace('https', 'http'),
      `${PLATFORM.returnUrl}?`,
      `${PLATFORM.returnUrl}?next=1`,
      `${PLATFORM.returnUrl}#`,
      ` ${PLATFORM.returnUrl}`,
      encodeURIComponent(PLATFORM.returnUrl),
      PLATFORM.returnUrl.replace('App1', '%41pp1'),
    ];
    for (const redirect_uri of addresses) expectInvalidGrant(await platform.exchange(code, { redirect_uri }));
    expect((await platform.exchange(code)).status).toBe(200);
  });

  test('without a redirect address, which is an invalid request', async ({ platform }) => {
    const { code } = await makeWaitingConnection();
    for (const input of [{}, { redirect_uri: '' }] as Record<string, string>[]) {
      const response = await platform.post('/oauth/token', { ...grant, code, ...input });
      expect([response.status, response.body]).toEqual([
        400,
        { error: 'invalid_request', error_description: 'The parameter redirect_uri is missing.' },
      ]);
    }
    expect((await platform.exchange(code)).status).toBe(200);
  });

  test('with wrong credentials, and the attempt does not use up the platform’s code', async ({
    platform,
  }) => {
    const { code } = await makeWaitingConnection();
    expect((await platform.exchange(code, { client_secret: 'guessed' })).status).toBe(401);
    expect((await platform.exchange(code)).status).toBe(200);
  });

  test('after ten minutes', async ({ platform }) => {
    const { code, id } = await makeWaitingConnection();
    await db().$executeRaw`
      update authorization_codes set expires_at = now() where connection_id = ${id}::uuid`;
    expectInvalidGrant(await platform.exchange(code));
    expect(await db().accessToken.count({ where: { connectionId: id } })).toBe(0);
  });

  test('by changing its case or its length', async ({ platform }) => {
    const { code } = await makeWaitingConnection();
    const changed = [code.slice(0, -1), `${code}x`, ` ${code}`, code.replace('kzc_', 'KZC_'), code.slice(4)];
    for (const other of changed) expectInvalidGrant(await platform.exchange(other));
    expect((await platform.exchange(code)).status).toBe(200);
  });
});

describe('RFC 7636 §4.6: only the client of the authorize request can exchange its code', () => {
  test('S256: the hash of the verifier is the challenge', async ({ platform }) => {
    const { code } = await challenged(CHALLENGE, 'S256');
    expect((await platform.exchange(code, { code_verifier: VERIFIER })).status).toBe(200);
  });

  test.for([43, 128])(
    'plain: the verifier is the challenge, of %i characters',
    async (length, { platform }) => {
      const value = '-._~aZ09'.repeat(16).slice(0, length);
      const { code } = await challenged(value, 'plain');
      expect((await platform.exchange(code, { code_verifier: value })).status).toBe(200);
    },
  );

  test('the method defaults to plain, from the consent page to the exchange', async ({
    platform,
    browser,
  }) => {
    for (const [method, verifier] of [
      ['', CHALLENGE],
      ['S256', VERIFIER],
    ] as const) {
      const query = { ...REQUEST, code_challenge: CHALLENGE, code_challenge_method: method };
      const approved = await browser.post(formOf(await browser.open(query)));
      const code = approved.location?.searchParams.get('code') ?? '';
      expectWrongVerifier(await platform.exchange(code, { code_verifier: method ? CHALLENGE : VERIFIER }));
      expect((await platform.exchange(code, { code_verifier: verifier })).status).toBe(200);
    }
  });
});

describe('RFC 7636 §1: an attacker who intercepted the code cannot exchange it', () => {
  test.for([
    ['no verifier', {}],
    ['an empty verifier', { code_verifier: '' }],
    ['another verifier', { code_verifier: VERIFIER.replace('d', 'e') }],
    ['a verifier in another case', { code_verifier: VERIFIER.toUpperCase() }],
    ['the challenge, which was in the URL', { code_verifier: CHALLENGE }],
    ['the hash of the challenge', { code_verifier: hashOf(CHALLENGE) }],
    ['a space around it', { code_verifier: ` ${VERIFIER}` }],
    ['a trailing line break', { code_verifier: `${VERIFIER}\n` }],
    ['an additional method', { code_verifier: CHALLENGE, code_challenge_method: 'plain' }],
    ['an additional challenge', { code_verifier: CHALLENGE, code_challenge: hashOf(CHALLENGE) }],
  ] as const)('with %s, and the attempt does not use up the code', async ([_what, fields], { platform }) => {
    const { code } = await challenged(CHALLENGE, 'S256');
    expectWrongVerifier(await platform.exchange(code, fields as Record<string, string>));
    expect((await platform.exchange(code, { code_verifier: VERIFIER })).status).toBe(200);
  });

  test.for([42, 129])(
    'a verifier of %i characters is refused, even if its hash matches',
    async (length, { platform }) => {
      const verifier = 'a'.repeat(length);
      const { code } = await challenged(hashOf(verifier), 'S256');
      expectWrongVerifier(await platform.exchange(code, { code_verifier: verifier }));
    },
  );

  test('a verifier with invalid characters is refused, even if its hash matches', async ({ platform }) => {
    const verifier = `${'a'.repeat(50)}+`;
    const { code } = await challenged(hashOf(verifier), 'S256');
    expectWrongVerifier(await platform.exchange(code, { code_verifier: verifier }));
  });
});

describe('RFC 9700 §2.1.1: an attacker cannot remove the challenge from the request', () => {
  test('a verifier is refused if the authorize request had no challenge', async ({ platform }) => {
    const { code } = await makeWaitingConnection();
    expectWrongVerifier(await platform.exchange(code, { code_verifier: VERIFIER }));
    expectWrongVerifier(await platform.exchange(code, { code_verifier: 'short' }));
    expect((await platform.exchange(code, { code_verifier: '' })).status).toBe(200);
  });
});

const grant = { grant_type: 'authorization_code', ...CREDENTIALS };

function expectInvalidGrant(response: TokenResponse) {
  expect([response.status, response.body]).toEqual([
    400,
    { error: 'invalid_grant', error_description: expect.any(String) },
  ]);
}

const challenged = (value: string, method: 'S256' | 'plain') =>
  makeWaitingConnection({ request: { state: undefined, challenge: { value, method } } });

function expectWrongVerifier(response: TokenResponse) {
  expect([response.status, response.body]).toEqual([
    400,
    {
      error: 'invalid_grant',
      error_description: 'The code_verifier does not match the code_challenge of the authorize request.',
    },
  ]);
}
