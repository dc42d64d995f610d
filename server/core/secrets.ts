import { createHmac, hash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { settings } from '#server/core/env.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_BYTES = 32;
/** 62^43 > 2^256: enough characters for 32 bytes. */
const SECRET_LENGTH = 43;
/** Number of digits that fit a `number`, which is much faster than a `bigint`. */
const PART_DIGITS = 8;
const PART = 62n ** BigInt(PART_DIGITS);

/** Returns a new secret: `prefix`, then 32 random bytes as 43 characters of base62. */
export function newSecret(prefix = ''): string {
  let rest = BigInt(`0x${randomBytes(SECRET_BYTES).toString('hex')}`);
  let text = '';
  while (text.length < SECRET_LENGTH) {
    text = base62(Number(rest % PART)) + text;
    rest /= PART;
  }
  return prefix + text.slice(-SECRET_LENGTH);
}

/** Returns a number below 62^8 as eight digits of base62. */
export function base62(value: number): string {
  let rest = value;
  let text = '';
  for (let i = 0; i < PART_DIGITS; i += 1) {
    text = ALPHABET.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

/** Returns the SHA-256 of a secret, the only form in which secrets are stored and looked up. */
export function digest(secret: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(hash('sha256', secret, 'buffer'));
}

/** Returns whether two texts are equal. Compares their digests in constant time. */
export function sameSecret(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b));
}

/** Length of a signature in bytes. */
export const MAC_BYTES = 32;

/**
 * Returns the HMAC-SHA-256 of `bytes`. The key is derived from the session secret for this purpose (HKDF, RFC 5869), so that a
 * signature is not valid for another purpose.
 */
export function signForPurpose(purpose: string, bytes: Uint8Array): Buffer {
  const key = hkdfSync('sha256', settings().SESSION_SECRET, '', purpose, MAC_BYTES);
  return createHmac('sha256', Buffer.from(key)).update(bytes).digest();
}
