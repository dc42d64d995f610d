import { crc32 } from 'node:zlib';
import { settings } from '#server/core/env.ts';
import { base62, newSecret } from '#server/core/secrets.ts';

/** A token ends in 26 random characters of base62 (154 bits) and their checksum. */
const RANDOM_LENGTH = 26;
/** 62^6 > 2^32: enough characters for a CRC-32. */
const CHECKSUM_LENGTH = 6;
const SHAPE = new RegExp(`^[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

/** Returns the start of every token of this service, such as `inbox_pk_live_`. */
function tokenPrefix(): string {
  return `${settings().TOKEN_PREFIX}_pk_live_`;
}

/** Returns a new token. */
export function newToken(): string {
  const random = newSecret().slice(-RANDOM_LENGTH);
  return `${tokenPrefix()}${random}${checksum(random)}`;
}

/**
 * Returns whether a text can be a token of this service: its prefix, length and checksum are right. Anything else is refused
 * without a look into the database.
 */
export function isToken(text: string): boolean {
  const prefix = tokenPrefix();
  const secret = text.slice(prefix.length);
  if (!text.startsWith(prefix) || !SHAPE.test(secret)) return false;
  return secret.slice(RANDOM_LENGTH) === checksum(secret.slice(0, RANDOM_LENGTH));
}

/** Returns the CRC-32 of a text in base62, as in the tokens of GitHub: secret scanners find few false positives. */
function checksum(text: string): string {
  return base62(crc32(text)).slice(-CHECKSUM_LENGTH);
}
