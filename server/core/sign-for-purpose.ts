import { createHmac, hkdfSync } from 'node:crypto';
import { settings } from '#server/core/env.ts';

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
