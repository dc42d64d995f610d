import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

/** The keys of `SECRETS_KEY`: the first one encrypts, both decrypt. */
export type SecretKeys = readonly SecretKey[];
type SecretKey = { id: Buffer; key: Buffer };

const VERSION = 1;
const KEY_ID_BYTES = 4;
/** AES-256-GCM (NIST SP 800-38D): a 96-bit nonce and a 128-bit tag. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + KEY_ID_BYTES;
const SHORTEST_BYTES = HEAD_BYTES + NONCE_BYTES + TAG_BYTES;

const UNREADABLE = 'A stored secret cannot be read: it was changed, or belongs to something else.';

/** @param text one or two secrets of any form, separated by a comma. Keys are derived from them (HKDF, RFC 5869). */
export function parseSecretKeys(text: string): SecretKeys {
  return text.split(',').map((secret) => {
    const key = Buffer.from(hkdfSync('sha256', secret.trim(), '', 'channel credentials', 32));
    return { key, id: createHash('sha256').update(key).digest().subarray(0, KEY_ID_BYTES) };
  });
}

/**
 * Encrypts a secret with AES-256-GCM under the first key.
 * @param boundTo id of the record that the secret belongs to, needed to decrypt it
 * @returns version, key id, nonce, tag and ciphertext
 */
export function seal(secret: string, boundTo: string, [first]: SecretKeys): Buffer<ArrayBuffer> {
  if (!first) throw new Error('SECRETS_KEY contains no key.');
  const nonce = randomBytes(NONCE_BYTES);
  const head = Buffer.concat([Buffer.from([VERSION]), first.id]);
  const cipher = createCipheriv('aes-256-gcm', first.key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.concat([head, Buffer.from(boundTo)]));
  const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return Buffer.concat([head, nonce, cipher.getAuthTag(), text]);
}

/**
 * Decrypts a result of `seal`, with the key that encrypted it.
 * @throws Error when the key is missing, the bytes were changed, or the secret is bound to another record
 */
export function unseal(sealed: Uint8Array, boundTo: string, keys: SecretKeys): string {
  const bytes = Buffer.from(sealed);
  if (bytes.length < SHORTEST_BYTES || bytes[0] !== VERSION) throw new Error(UNREADABLE);
  const head = bytes.subarray(0, HEAD_BYTES);
  const found = keys.find(({ id }) => id.equals(head.subarray(1)));
  if (!found) {
    throw new Error(
      'SECRETS_KEY does not contain the key that a stored secret was encrypted with. Add it after a comma.',
    );
  }
  const nonce = bytes.subarray(HEAD_BYTES, HEAD_BYTES + NONCE_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', found.key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.concat([head, Buffer.from(boundTo)]));
  decipher.setAuthTag(bytes.subarray(HEAD_BYTES + NONCE_BYTES, SHORTEST_BYTES));
  try {
    return decipher.update(bytes.subarray(SHORTEST_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch (error) {
    throw new Error(UNREADABLE, { cause: error });
  }
}

/** Returns whether the current key encrypted it. Otherwise it must be encrypted again before the old key can be removed. */
export function isSealedWithFirstKey(sealed: Uint8Array, [first]: SecretKeys): boolean {
  return first?.id.equals(sealed.subarray(1, HEAD_BYTES)) ?? false;
}
