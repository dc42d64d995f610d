import { createHash } from 'node:crypto';
import { describe, expect } from 'vitest';
import { formOf, REQUEST } from '#test/clients/consent-client.ts';
import type { TokenResponse } from '#test/clients/token-client.ts';
import { makeWaitingConnection } from '#test/fixtures/factories.ts';
import { test } from '#test/fixtures/platform-test.ts';

/** The example of RFC 7636, appendix B. */
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url');

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
      expectInvalidGrant(await platform.exchange(code, { code_verifier: method ? CHALLENGE : VERIFIER }));
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
    expectInvalidGrant(await platform.exchange(code, fields as Record<string, string>));
    expect((await platform.exchange(code, { code_verifier: VERIFIER })).status).toBe(200);
  });

  test.for([42, 129])(
    'a verifier of %i characters is refused, even if its hash matches',
    async (length, { platform }) => {
      const verifier = 'a'.repeat(length);
      const { code } = await challenged(hashOf(verifier), 'S256');
      expectInvalidGrant(await platform.exchange(code, { code_verifier: verifier }));
    },
  );

  test('a verifier with invalid characters is refused, even if its hash matches', async ({ platform }) => {
    const verifier = `${'a'.repeat(50)}+`;
    const { code } = await challenged(hashOf(verifier), 'S256');
    expectInvalidGrant(await platform.exchange(code, { code_verifier: verifier }));
  });
});

describe('RFC 9700 §2.1.1: an attacker cannot remove the challenge from the request', () => {
  test('a verifier is refused if the authorize request had no challenge', async ({ platform }) => {
    const { code } = await makeWaitingConnection();
    expectInvalidGrant(await platform.exchange(code, { code_verifier: VERIFIER }));
    expectInvalidGrant(await platform.exchange(code, { code_verifier: 'short' }));
    expect((await platform.exchange(code, { code_verifier: '' })).status).toBe(200);
  });
});

const challenged = (value: string, method: 'S256' | 'plain') =>
  makeWaitingConnection({ request: { state: undefined, challenge: { value, method } } });

function expectInvalidGrant(response: TokenResponse) {
  expect([response.status, response.body]).toEqual([
    400,
    {
      error: 'invalid_grant',
      error_description: 'The code_verifier does not match the code_challenge of the authorize request.',
    },
  ]);
}
