import { expect, test } from 'vitest';
import { isToken, newToken } from '#server/automation/tokens/token-text.ts';
import { setTestSettings } from '#test/servers/settings.ts';

setTestSettings();

/** The expression that docs/developer-api.md publishes for secret scanners. */
const PUBLISHED = /^inbox_pk_(live|test)_[0-9A-Za-z]{32}$/;

test('a new token matches the published expression, is accepted and is never the same', () => {
  const tokens = Array.from({ length: 200 }, (_, n) => newToken({ isTest: n % 2 === 0 }));
  for (const token of tokens) expect([token.match(PUBLISHED) !== null, isToken(token)]).toEqual([true, true]);
  expect(new Set(tokens).size).toBe(tokens.length);
});

test('the checksum is the CRC-32 of the random part, as a program in another language computes it', () => {
  // CRC-32 of 26 zeros is 0xD66C01C2 (checked with zlib of Python).
  const zeros = '0'.repeat(26);
  expect(isToken(`inbox_pk_live_${zeros}3vSKjy`)).toBe(true);
});

test('an attacker who changes, cuts or extends a token is refused', () => {
  const token = newToken({ isTest: false });
  const { length } = token;
  const changed = Array.from({ length }, (_, at) => {
    const other = token[at] === 'a' ? 'b' : 'a';
    return token.slice(0, at) + other + token.slice(at + 1);
  });
  const wrong = [
    ...changed,
    token.slice(0, -1),
    `${token}0`,
    ` ${token}`,
    token.toUpperCase(),
    token.replace('live', 'both'),
    `kza_${token.slice('inbox_pk_live_'.length)}`,
    '',
    'inbox_pk_live_',
    '\u{1D41A}'.repeat(40),
  ];
  for (const text of wrong) expect(isToken(text), text).toBe(false);
});

test('another prefix of the installation makes other tokens', () => {
  const token = newToken({ isTest: false });
  setTestSettings({ TOKEN_PREFIX: 'acme' });
  expect(newToken({ isTest: false })).toMatch(/^acme_pk_live_[0-9A-Za-z]{32}$/);
  expect(newToken({ isTest: true })).toMatch(/^acme_pk_test_[0-9A-Za-z]{32}$/);
  expect(isToken(token)).toBe(false);
  setTestSettings();
});
