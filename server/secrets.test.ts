import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { digest, newSecret, sameSecret } from '#server/secrets.ts';

test('a secret is its prefix and 43 letters and digits', () => {
  for (let i = 0; i < 200; i += 1) expect(newSecret('kza_')).toMatch(/^kza_[0-9A-Za-z]{43}$/);
  expect(newSecret()).toMatch(/^[0-9A-Za-z]{43}$/);
});

test('secrets are never the same and use the whole alphabet', () => {
  const secrets = Array.from({ length: 1_000 }, () => newSecret());
  expect(new Set(secrets).size).toBe(1_000);
  expect(new Set(secrets.join('')).size).toBe(62);
});

test('a digest is the SHA-256 of the secret', () => {
  expect(Buffer.from(digest('kza_a')).toString('hex')).toBe(
    createHash('sha256').update('kza_a').digest('hex'),
  );
});

test('secrets are the same only when every character is', () => {
  expect(sameSecret('a secret', 'a secret')).toBe(true);
  for (const other of ['', 'a secre', 'a secret ', 'A secret', 'another one']) {
    expect(sameSecret('a secret', other), other).toBe(false);
  }
});
