import { crc32 } from 'node:zlib';
import { settings } from '#server/core/env.ts';
import { base62, newSecret } from '#server/core/secrets.ts';

/** A token ends in 26 random characters of base62 (154 bits) and their checksum. */
const RANDOM_LENGTH = 26;
/** 62^6 > 2^32: enough characters for a CRC-32. */
const CHECKSUM_LENGTH = 6;
const SHAPE = new RegExp(`^[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

/** Returns the start of the tokens of a test workspace or of any other, such as `inbox_pk_live_`. Both are as long. */
function tokenPrefix({ isTest }: { isTest: boolean }): string {
  return `${settings().TOKEN_PREFIX}_pk_${isTest ? 'test' : 'live'}_`;
}

/** Returns a new token for a test workspace or any other. */
export function newToken(workspace: { isTest: boolean }): string {
  const random = newSecret().slice(-RANDOM_LENGTH);
  return `${tokenPrefix(workspace)}${random}${checksum(random)}`;
}

/**
 * Returns whether a text can be a token of this service: its prefix, length and checksum are right. Anything else is refused
 * without a look into the database.
 */
export function isToken(text: string): boolean {
  const prefix = [false, true].map((isTest) => tokenPrefix({ isTest })).find((each) => text.startsWith(each));
  if (prefix === undefined) return false;
  const secret = text.slice(prefix.length);
  if (!SHAPE.test(secret)) return false;
  return secret.slice(RANDOM_LENGTH) === checksum(secret.slice(0, RANDOM_LENGTH));
}

/** Returns the CRC-32 of a text in base62, as in the tokens of GitHub: secret scanners find few false positives. */
function checksum(text: string): string {
  return base62(crc32(text)).slice(-CHECKSUM_LENGTH);
}
