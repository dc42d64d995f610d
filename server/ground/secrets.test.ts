import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { digest, newSecret, sameSecret } from '#server/ground/secrets.ts';

describe('RFC 6749 §10.10: the attacker cannot guess a secret', () => {
  test('it is 43 letters and digits after its prefix, and never the same twice', () => {
    const secrets = Array.from({ length: 1000 }, () => newSecret('kza_'));
    for (const secret of secrets) expect(secret).toMatch(/^kza_[0-9A-Za-z]{43}$/);
    expect(new Set(secrets).size).toBe(1000);
  });

  test('every place but the first, which cannot hold all of them, has every character', () => {
    const secrets = Array.from({ length: 2000 }, () => newSecret());
    for (let place = 1; place < 43; place += 1) {
      expect(new Set(secrets.map((secret) => secret[place])).size).toBe(62);
    }
  });
});

describe('how secrets are stored and compared', () => {
  test('as their SHA-256', () => {
    expect(Buffer.from(digest('kza_x'))).toEqual(createHash('sha256').update('kza_x').digest());
  });

  test('two are the same when they are equal, of whatever lengths', () => {
    expect(sameSecret('secret', 'secret')).toBe(true);
    expect(sameSecret('', '')).toBe(true);
    for (const other of ['Secret', 'secre', 'secrets', ' secret', '']) {
      expect(sameSecret('secret', other)).toBe(false);
    }
  });
});
