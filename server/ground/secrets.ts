import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_BYTES = 32;
/** 62^43 > 2^256: as many characters as 32 bytes may need. */
const SECRET_LENGTH = 43;

/** A new secret: 32 random bytes in base62, always 43 characters, after `prefix`. */
export function newSecret(prefix = ''): string {
  let rest = BigInt(`0x${randomBytes(SECRET_BYTES).toString('hex')}`);
  let text = '';
  for (let i = 0; i < SECRET_LENGTH; i += 1) {
    text = ALPHABET.charAt(Number(rest % 62n)) + text;
    rest /= 62n;
  }
  return prefix + text;
}

/** SHA-256 of a secret: the only form in which one is stored or looked up. */
export function digest(secret: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(secret).digest());
}

/** Whether two texts are equal, compared as digests in constant time. */
export function sameSecret(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b));
}
