import { createECDH } from 'node:crypto';
import { expect, test } from 'vitest';
import { derivePushKeys } from '#server/administration/notifications/push-keys.ts';

const SECRET = 'a-session-secret-of-more-than-32-characters';

test('two servers with the same session secret have the same keys, which belong together', () => {
  const keys = derivePushKeys(SECRET);
  expect(derivePushKeys(SECRET)).toEqual(keys);
  const curve = createECDH('prime256v1');
  curve.setPrivateKey(keys.privateKey, 'base64url');
  expect(curve.getPublicKey('base64url')).toBe(keys.publicKey);
  expect([keys.privateKey, keys.publicKey].map((key) => Buffer.from(key, 'base64url').length)).toEqual([
    32, 65,
  ]);
});

test('another session secret has other keys', () => {
  expect(derivePushKeys(`${SECRET}!`).publicKey).not.toBe(derivePushKeys(SECRET).publicKey);
});
