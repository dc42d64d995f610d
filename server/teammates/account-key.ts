import { addressKey } from '#server/core/limits/address-key.ts';
import { digest } from '#server/core/secrets.ts';

/** At most so much of an email counts, as the limiter's key has a bounded length. */
const ACCOUNT_MAX_LENGTH = 200;

/** The key under which limits of an account are counted, whether there is such an account or not. */
export function accountKey(email: string): string {
  return email.toLowerCase().slice(0, ACCOUNT_MAX_LENGTH);
}

/** The key of an account's limits at one address, for what a stranger there must not use up for its owner elsewhere. */
export function accountAtAddress(email: string, address: string): string {
  return `${addressKey(address)} ${Buffer.from(digest(accountKey(email))).toString('base64url')}`;
}
