import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

/** The keys of `SECRETS_KEY`: the first one seals, both open. */
export type SecretKeys = readonly SecretKey[];
type SecretKey = { id: Buffer; key: Buffer };

const VERSION = 1;
const KEY_ID_BYTES = 4;
/** Of AES-256-GCM (NIST SP 800-38D): a nonce of 96 bits, a tag of 128. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + KEY_ID_BYTES;
const SHORTEST_BYTES = HEAD_BYTES + NONCE_BYTES + TAG_BYTES;

const UNREADABLE = 'A stored secret cannot be read: it was changed, or belongs to something else.';

/** @param text one or two secrets, separated by a comma; each any text, of which a key is derived (RFC 5869) */
export function parseSecretKeys(text: string): SecretKeys {
  return text.split(',').map((secret) => {
    const key = Buffer.from(hkdfSync('sha256', secret.trim(), '', 'channel credentials', 32));
    return { key, id: createHash('sha256').update(key).digest().subarray(0, KEY_ID_BYTES) };
  });
}

/**
 * Encrypts a secret with AES-256-GCM under the first key.
 * @param boundTo the id of what it belongs to: under another one it does not open
 * @returns version, key id, nonce, tag and cipher text
 */
export function seal(secret: string, boundTo: string, [first]: SecretKeys): Buffer<ArrayBuffer> {
  if (!first) throw new Error('SECRETS_KEY holds no key.');
  const nonce = randomBytes(NONCE_BYTES);
  const head = Buffer.concat([Buffer.from([VERSION]), first.id]);
  const cipher = createCipheriv('aes-256-gcm', first.key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.concat([head, Buffer.from(boundTo)]));
  const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return Buffer.concat([head, nonce, cipher.getAuthTag(), text]);
}

/**
 * Opens what `seal` made, with the key that sealed it.
 * @throws Error when none of the keys did, it was changed, or it is bound to something else
 */
export function unseal(sealed: Uint8Array, boundTo: string, keys: SecretKeys): string {
  const bytes = Buffer.from(sealed);
  if (bytes.length < SHORTEST_BYTES || bytes[0] !== VERSION) throw new Error(UNREADABLE);
  const head = bytes.subarray(0, HEAD_BYTES);
  const found = keys.find(({ id }) => id.equals(head.subarray(1)));
  if (!found) {
    throw new Error(
      'SECRETS_KEY does not hold the key that a stored secret was encrypted with. Add it after a comma.',
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

/** Whether it was sealed with the key that seals now: else it is to be sealed again, so that the old key can go. */
export function isSealedWithFirstKey(sealed: Uint8Array, [first]: SecretKeys): boolean {
  return first?.id.equals(sealed.subarray(1, HEAD_BYTES)) ?? false;
}
