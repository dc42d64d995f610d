import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { consentClient, formOf, REQUEST } from '#test/clients/consent-client.ts';
import { signInAs } from '#test/clients/sign-in.ts';
import { type TokenResponse, tokenClient } from '#test/clients/token-client.ts';
import { addMember, makeUser, makeWaitingConnection, makeWorkspace } from '#test/fixtures/factories.ts';
import { withTestService } from '#test/fixtures/service.ts';

const service = withTestService();
let platform: ReturnType<typeof tokenClient>;

beforeAll(async () => {
  platform = tokenClient(service.url);
});

/** The example of RFC 7636, appendix B. */
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url');
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

describe('RFC 7636 §4.6: who asked is who exchanges', () => {
  test('S256: the verifier whose hash is the challenge', async () => {
    const { code } = await challenged(CHALLENGE, 'S256');
    expect((await platform.exchange(code, { code_verifier: VERIFIER })).status).toBe(200);
  });

  test.each([43, 128])('plain: the challenge itself, of %i characters', async (length) => {
    const value = '-._~aZ09'.repeat(16).slice(0, length);
    const { code } = await challenged(value, 'plain');
    expect((await platform.exchange(code, { code_verifier: value })).status).toBe(200);
  });

  test('the method is plain when the authorize request names none, all the way from the consent page', async () => {
    const workspace = await makeWorkspace();
    const owner = await makeUser();
    await addMember(workspace.id, owner.id, 'owner');
    const browser = consentClient(service.url, await signInAs(service.url, owner));
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

describe('RFC 7636 §1: the attacker who caught the code cannot exchange it', () => {
  test.each([
    ['no verifier', {}],
    ['an empty one', { code_verifier: '' }],
    ['another one', { code_verifier: VERIFIER.replace('d', 'e') }],
    ['one of other case', { code_verifier: VERIFIER.toUpperCase() }],
    ['the challenge, which was in the address', { code_verifier: CHALLENGE }],
    ['the hash of the challenge', { code_verifier: hashOf(CHALLENGE) }],
    ['a space around it', { code_verifier: ` ${VERIFIER}` }],
    ['a line break after it', { code_verifier: `${VERIFIER}\n` }],
    ['another method sent along', { code_verifier: CHALLENGE, code_challenge_method: 'plain' }],
    ['another challenge sent along', { code_verifier: CHALLENGE, code_challenge: hashOf(CHALLENGE) }],
  ])('with %s; and its tries do not use the code up', async (_what, fields) => {
    const { code } = await challenged(CHALLENGE, 'S256');
    expectInvalidGrant(await platform.exchange(code, fields as Record<string, string>));
    expect((await platform.exchange(code, { code_verifier: VERIFIER })).status).toBe(200);
  });

  test.each([42, 129])('a verifier of %i characters is none, even when its hash is right', async (length) => {
    const verifier = 'a'.repeat(length);
    const { code } = await challenged(hashOf(verifier), 'S256');
    expectInvalidGrant(await platform.exchange(code, { code_verifier: verifier }));
  });

  test('a verifier with characters outside the RFC is none, even when its hash is right', async () => {
    const verifier = `${'a'.repeat(50)}+`;
    const { code } = await challenged(hashOf(verifier), 'S256');
    expectInvalidGrant(await platform.exchange(code, { code_verifier: verifier }));
  });
});

describe('RFC 9700 §2.1.1: the attacker cannot take the challenge out of the request', () => {
  test('a verifier without a challenge at the authorize request is refused', async () => {
    const { code } = await makeWaitingConnection();
    expectInvalidGrant(await platform.exchange(code, { code_verifier: VERIFIER }));
    expectInvalidGrant(await platform.exchange(code, { code_verifier: 'short' }));
    expect((await platform.exchange(code, { code_verifier: '' })).status).toBe(200);
  });
});
