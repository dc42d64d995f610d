import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { digest, newSecret, sameSecret } from '#server/core/secrets.ts';

vi.mock('node:crypto', async (original) => {
  const crypto = await original<typeof import('node:crypto')>();
  return { ...crypto, randomBytes: vi.fn(crypto.randomBytes) };
});

describe('RFC 6749 §10.10: the attacker cannot guess a secret', () => {
  test('it consists of its prefix and 43 letters and digits, and never repeats', () => {
    const secrets = Array.from({ length: 1000 }, () => newSecret('kza_'));
    for (const secret of secrets) expect(secret).toMatch(/^kza_[0-9A-Za-z]{43}$/);
    expect(new Set(secrets).size).toBe(1000);
  });

  test('every position uses every character, except the first, which has fewer', () => {
    const secrets = Array.from({ length: 2000 }, () => newSecret());
    for (let place = 1; place < 43; place += 1) {
      expect(new Set(secrets.map((secret) => secret[place])).size).toBe(62);
    }
  });
});

describe('a secret is its 32 bytes in base62', () => {
  const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  const numberOf = (text: string) =>
    [...text].reduce((value, digit) => value * 62n + BigInt(ALPHABET.indexOf(digit)), 0n);
  const secretOf = (bytes: Buffer) => {
    vi.mocked(randomBytes).mockReturnValueOnce(bytes as never);
    return newSecret();
  };

  test.each([
    ['none set', Buffer.alloc(32)],
    ['the last set', Buffer.from('1'.padStart(64, '0'), 'hex')],
    ['all set', Buffer.alloc(32, 255)],
    ['some set', Buffer.alloc(32, 0x5a)],
  ])('for all bytes: %s', (_which, bytes) => {
    const secret = secretOf(bytes);
    expect(secret).toHaveLength(43);
    expect(numberOf(secret)).toBe(BigInt(`0x${bytes.toString('hex')}`));
  });
});

describe('secrets', () => {
  test('are stored as SHA-256', () => {
    expect(Buffer.from(digest('kza_x'))).toEqual(createHash('sha256').update('kza_x').digest());
  });

  test('of different lengths can be compared', () => {
    expect(sameSecret('secret', 'secret')).toBe(true);
    expect(sameSecret('', '')).toBe(true);
    for (const other of ['Secret', 'secre', 'secrets', ' secret', '']) {
      expect(sameSecret('secret', other)).toBe(false);
    }
  });
});
