import { describe, expect, test } from 'vitest';
import { checkPkce } from '#server/automation/oauth/exchange-code.ts';

/** The example of RFC 7636, appendix B. */
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const CHALLENGE = { value: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', method: 'S256' } as const;
const plain = (value: string) => ({ value, method: 'plain' }) as const;

describe('RFC 7636 §4.6: a verifier matches the challenge', () => {
  test('S256: if its SHA-256 in base64url without padding equals the challenge', () => {
    expect(checkPkce(VERIFIER, CHALLENGE)).toBe(true);
    expect(checkPkce(VERIFIER, { ...CHALLENGE, value: `${CHALLENGE.value}=` })).toBe(false);
    expect(checkPkce(VERIFIER, { ...CHALLENGE, value: CHALLENGE.value.replace('-', '+') })).toBe(false);
  });

  test('plain: if it equals the challenge', () => {
    expect(checkPkce(VERIFIER, plain(VERIFIER))).toBe(true);
    expect(checkPkce(VERIFIER, plain(CHALLENGE.value))).toBe(false);
    expect(checkPkce(VERIFIER.toLowerCase(), plain(VERIFIER))).toBe(false);
  });

  test('the methods are never confused', () => {
    expect(checkPkce(CHALLENGE.value, CHALLENGE)).toBe(false);
    expect(checkPkce(VERIFIER, plain(CHALLENGE.value))).toBe(false);
  });
});

describe('RFC 7636 §4.1: the format of a verifier', () => {
  test.each([
    [42, false],
    [43, true],
    [128, true],
    [129, false],
  ])('of %i characters: %s', (length, accepted) => {
    const verifier = 'aZ09-._~'.repeat(17).slice(0, length);
    expect(checkPkce(verifier, plain(verifier))).toBe(accepted);
  });

  test.each([' ', '+', '/', '=', '%', 'é', '\n', '\0'])('never with the character %j', (character) => {
    const verifiers = [`${VERIFIER}${character}`, `${character}${VERIFIER}`];
    for (const verifier of verifiers) expect(checkPkce(verifier, plain(verifier))).toBe(false);
  });
});

describe('RFC 9700 §2.1.1: challenge and verifier are sent together or not at all', () => {
  test('an attacker cannot omit either', () => {
    expect(checkPkce(undefined, CHALLENGE)).toBe(false);
    expect(checkPkce('', CHALLENGE)).toBe(false);
    expect(checkPkce(VERIFIER, null)).toBe(false);
    expect(checkPkce(undefined, null)).toBe(true);
  });
});
