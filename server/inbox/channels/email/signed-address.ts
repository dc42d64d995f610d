import { timingSafeEqual } from 'node:crypto';
import { validate as isUuid, parse as uuidBytes, stringify as uuidText } from 'uuid';
import { signForPurpose } from '#server/core/secrets.ts';

/** `reply` leads to a conversation, `bounce` to a message from us. `test` only identifies a mailbox's test email. */
export type SignedAddressKind = 'reply' | 'bounce' | 'test';

/** Kinds that receive mail. */
const RECEIVING = ['reply', 'bounce'] as const;

const ID_BYTES = 16;
/** Half of the signature: cannot be guessed, and keeps the local part within 64 characters (RFC 5321 §4.5.3.1.1). */
const SIGNATURE_BYTES = 16;
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const TOKEN_LENGTH = Math.ceil(((ID_BYTES + SIGNATURE_BYTES) * 8) / 5);

/**
 * Returns an address that leads to a conversation or a message: `reply+<token>@<domain>`. The token is base32, as mail
 * servers may change the case of an address.
 * @param domain domain of the mailbox
 */
export function signedAddress(kind: SignedAddressKind, id: string, domain: string): string {
  const bytes = uuidBytes(id);
  return `${kind}+${base32(Buffer.concat([bytes, signatureOf(kind, bytes)]))}@${domain}`;
}

/**
 * Parses a signed address that receives mail.
 * @returns undefined for other addresses; `forged` when the signature is invalid
 */
export function parseSignedAddress(address: string) {
  return parseSigned(address, RECEIVING);
}

/** Parses a signed address of one of these kinds, as `parseSignedAddress` does. */
export function parseSigned<Kind extends SignedAddressKind>(
  address: string,
  kinds: readonly Kind[],
): { kind: Kind; id: string; domain: string } | 'forged' | undefined {
  const at = address.lastIndexOf('@');
  const plus = address.indexOf('+');
  const written = address.slice(0, Math.max(0, plus)).toLowerCase();
  const kind = kinds.find((each) => each === written);
  if (plus > at || kind === undefined) return undefined;
  const bytes = fromBase32(address.slice(plus + 1, at).toLowerCase());
  if (bytes === undefined) return 'forged';
  const idBytes = bytes.subarray(0, ID_BYTES);
  if (!timingSafeEqual(bytes.subarray(ID_BYTES), signatureOf(kind, idBytes))) return 'forged';
  const id = uuidText(idBytes);
  return isUuid(id) ? { kind, id, domain: address.slice(at + 1).toLowerCase() } : 'forged';
}

function signatureOf(kind: SignedAddressKind, id: Uint8Array): Buffer {
  return signForPurpose(`${kind} address`, id).subarray(0, SIGNATURE_BYTES);
}

function base32(bytes: Uint8Array): string {
  let bits = '';
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0');
  let text = '';
  for (let at = 0; at < bits.length; at += 5) {
    text += ALPHABET.charAt(Number.parseInt(bits.slice(at, at + 5).padEnd(5, '0'), 2));
  }
  return text;
}

/** Decodes a token; undefined for anything that `base32` would not have written. */
function fromBase32(text: string): Buffer | undefined {
  if (text.length !== TOKEN_LENGTH) return undefined;
  let bits = '';
  for (const letter of text) {
    const value = ALPHABET.indexOf(letter);
    if (value === -1) return undefined;
    bits += value.toString(2).padStart(5, '0');
  }
  const bytes = Buffer.alloc(ID_BYTES + SIGNATURE_BYTES);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = Number.parseInt(bits.slice(at * 8, at * 8 + 8), 2);
  return base32(bytes) === text ? bytes : undefined;
}
