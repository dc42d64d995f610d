import { createECDH, hkdfSync } from 'node:crypto';
import { settings } from '#server/core/env.ts';
import { processState } from '#server/core/process-state.ts';

/** Keys in base64url, as `PushManager.subscribe` and web-push read them. */
export type PushKeys = { publicKey: string; privateKey: string };

/** Order of the group of P-256 (FIPS 186-5). */
const ORDER = BigInt('0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551');
/** 64 bits more than the order, so that the remainder is unbiased (FIPS 186-5, A.2.1). */
const SEED_BYTES = 40;

/** Returns the VAPID keys of this service (RFC 8292). */
export const pushKeys = processState((): PushKeys => derivePushKeys(settings().SESSION_SECRET));

/**
 * Derives the VAPID keys from the session secret: every process has the same ones, and none is stored. A new secret
 * ends all sessions and with them the subscriptions that belong to the old keys.
 */
export function derivePushKeys(secret: string): PushKeys {
  const seed = Buffer.from(hkdfSync('sha256', secret, '', 'web push', SEED_BYTES));
  const scalar = (BigInt(`0x${seed.toString('hex')}`) % (ORDER - 1n)) + 1n;
  const privateKey = Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex');
  const curve = createECDH('prime256v1');
  curve.setPrivateKey(privateKey);
  return { publicKey: curve.getPublicKey('base64url'), privateKey: privateKey.toString('base64url') };
}
