import { readFileSync } from 'node:fs';
import { APIError } from 'better-auth/api';
import { Refusal } from '#server/core/errors.ts';
import { makeSemaphore } from '#server/core/limits/semaphore.ts';

/** Hashes a password and compares a password with its hash. */
export type PasswordHashing = {
  hash(password: string): Promise<string>;
  verify(check: { hash: string; password: string }): Promise<boolean>;
};

/** Maximum queue length besides the password in progress, and maximum wait in ms. */
const WAITING_MAX = 100;
const WAIT_MS = 10_000;

const TOO_MANY = 'Too many passwords are being checked just now. Try again in a moment.';

/**
 * Serializes password hashing in this process. One hash takes 0.1 s of a processor and 32 MB, on one of four
 * threads that files, compression and signed cookies also use. Parallel guesses took all threads and the
 * processor from signed-in teammates.
 * @throws when too many wait: an APIError with status 503 for sign-in, caused by a refusal that our forms show
 */
export function passwordHashing({ hash, verify }: PasswordHashing): PasswordHashing {
  const acquire = makeSemaphore({ max: 1, waitingMax: WAITING_MAX, waitMs: WAIT_MS });
  const runSerially = async <T>(work: () => Promise<T>): Promise<T> => {
    const release = await acquire('password');
    if (!release) {
      throw Object.assign(
        new APIError('SERVICE_UNAVAILABLE', { message: TOO_MANY }, { 'retry-after': `${WAIT_MS / 1000}` }),
        { cause: new Refusal('forbidden', TOO_MANY) },
      );
    }
    try {
      return await work();
    } finally {
      release();
    }
  };
  return {
    hash: (password) => runSerially(() => hash(password)),
    verify: (check) => runSerially(() => verify(check)),
  };
}

/** Limits of a password in UTF-16 units, as Better Auth counts. */
export const PASSWORD_MIN_LENGTH = 8;
export const PASSWORD_MAX_LENGTH = 128;

/** The 3,000 commonest passwords of that length, in lowercase, from the list of zxcvbn (MIT licence, Dropbox). */
const COMMON = new Set(
  readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n'),
);

/**
 * Returns the error message for a password that a person chose, or undefined. Besides its length, OWASP ASVS 5 asks to refuse the
 * commonest passwords (6.2.4) and words of the person (6.2.11).
 * @param email the person's address
 */
export function passwordProblem(password: string, email: string): string | undefined {
  if (password.length < PASSWORD_MIN_LENGTH) {
    return `The password must have at least ${PASSWORD_MIN_LENGTH} characters.`;
  }
  if (password.length > PASSWORD_MAX_LENGTH) {
    return `The password must have at most ${PASSWORD_MAX_LENGTH} characters.`;
  }
  const chosen = password.toLowerCase();
  if (COMMON.has(chosen) || COMMON.has(chosen.replace(/[\d!?.]{1,4}$/, ''))) {
    return 'This password is too common. Choose one that others don’t use.';
  }
  const rest = partsOf(email.toLowerCase()).reduce((text, part) => text.replaceAll(part, ''), chosen);
  if (rest !== chosen && rest.length < PASSWORD_MIN_LENGTH) {
    return `Apart from your email address, the password must have at least ${PASSWORD_MIN_LENGTH} characters.`;
  }
  return undefined;
}

/** Shorter parts of an address are in many words. */
const PART_MIN_LENGTH = 4;

/** Returns the address and its parts, longest first. */
function partsOf(email: string): string[] {
  const parts = [email, ...email.split('@'), ...email.split(/[^\p{L}\d]+/u)];
  return parts.filter(({ length }) => length >= PART_MIN_LENGTH).sort((a, b) => b.length - a.length);
}
