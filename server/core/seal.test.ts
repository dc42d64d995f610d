import { expect, test } from 'vitest';
import { isSealedWithFirstKey, parseSecretKeys, type SecretKeys, seal, unseal } from '#server/core/seal.ts';

const OLD = 'an old key that is long enough for it';
const NEW = 'a new key that is long enough for it too';
const keys = (...texts: string[]): SecretKeys => parseSecretKeys(texts.join(','));

test('a sealed secret can be unsealed, and sealing it again gives other bytes', () => {
  const one = seal('a token', 'account 1', keys(OLD));
  const other = seal('a token', 'account 1', keys(OLD));
  expect(unseal(one, 'account 1', keys(OLD))).toBe('a token');
  expect(one.equals(other)).toBe(false);
  expect(one.includes('a token')).toBe(false);
});

test('after a change of keys the second one still unseals its secrets, and seals none', () => {
  const before = seal('a token', 'account 1', keys(OLD));
  expect(unseal(before, 'account 1', keys(NEW, OLD))).toBe('a token');
  expect(isSealedWithFirstKey(before, keys(NEW, OLD))).toBe(false);
  const after = seal('a token', 'account 1', keys(NEW, OLD));
  expect(unseal(after, 'account 1', keys(NEW))).toBe('a token');
  expect(isSealedWithFirstKey(after, keys(NEW, OLD))).toBe(true);
});

test('an attacker who copies the sealed secret of another account cannot unseal it', () => {
  const sealed = seal('a token', 'account 1', keys(OLD));
  expect(() => unseal(sealed, 'account 2', keys(OLD))).toThrow('cannot be read');
});

test('a sealed secret with any changed byte cannot be unsealed', () => {
  const sealed = seal('a token', 'account 1', keys(OLD));
  for (const at of sealed.keys()) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => unseal(changed, 'account 1', keys(OLD))).toThrow();
  }
  expect(() => unseal(sealed.subarray(0, 20), 'account 1', keys(OLD))).toThrow('cannot be read');
});

test('without its key the error says what to set', () => {
  const sealed = seal('a token', 'account 1', keys(OLD));
  expect(() => unseal(sealed, 'account 1', keys(NEW))).toThrow('SECRETS_KEY does not contain the key');
});
