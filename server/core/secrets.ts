import { createHmac, hash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { settings } from '#server/core/env.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_BYTES = 32;
/** 62^43 > 2^256: as many characters as 32 bytes may need. */
const SECRET_LENGTH = 43;
/** So many digits at once fit an ordinary number, which is much faster than a large one. */
const PART_DIGITS = 8;
const PART = 62n ** BigInt(PART_DIGITS);

/** A new secret: 32 random bytes in base62, always 43 characters, after `prefix`. */
export function newSecret(prefix = ''): string {
  let rest = BigInt(`0x${randomBytes(SECRET_BYTES).toString('hex')}`);
  let text = '';
  while (text.length < SECRET_LENGTH) {
    text = base62(Number(rest % PART)) + text;
    rest /= PART;
  }
  return prefix + text.slice(-SECRET_LENGTH);
}

/** A number below 62^8 as eight digits. */
function base62(value: number): string {
  let rest = value;
  let text = '';
  for (let i = 0; i < PART_DIGITS; i += 1) {
    text = ALPHABET.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

/** SHA-256 of a secret: the only form in which one is stored or looked up. */
export function digest(secret: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(hash('sha256', secret, 'buffer'));
}

/** Whether two texts are equal, compared as digests in constant time. */
export function sameSecret(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b));
}

/** Length of a signature in bytes. */
export const MAC_BYTES = 32;

/**
 * HMAC-SHA-256 over `bytes`. The key is made from the session secret for one purpose alone (HKDF, RFC 5869), so that what
 * is signed for one is worth nothing for another.
 */
export function signForPurpose(purpose: string, bytes: Uint8Array): Buffer {
  const key = hkdfSync('sha256', settings().SESSION_SECRET, '', purpose, MAC_BYTES);
  return createHmac('sha256', Buffer.from(key)).update(bytes).digest();
}
