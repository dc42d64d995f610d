import { APIError } from 'better-auth/api';
import { makeSemaphore } from '#server/core/limits/semaphore.ts';

/** How a password is made into what is stored, and compared with it. */
export type PasswordHashing = {
  hash(password: string): Promise<string>;
  verify(given: { hash: string; password: string }): Promise<boolean>;
};

/** Of those that come besides the one under way so many wait, for so long at most. */
const WAITING_MAX = 100;
const WAIT_MS = 10_000;

const TOO_MANY = 'Too many passwords are being checked just now. Try again in a moment.';

/**
 * Lets one password at a time be hashed in this process. Each takes a tenth of a second of a processor and 32 MB, on one
 * of the four threads that files, compression and signed cookies are waiting for as well: guesses made at once took all
 * of them, and the processor, from those who are signed in.
 *
 * It throws an `APIError` with status 503 when too many wait.
 */
export function passwordHashing({ hash, verify }: PasswordHashing): PasswordHashing {
  const acquire = makeSemaphore({ max: 1, waitingMax: WAITING_MAX, waitMs: WAIT_MS });
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    const release = await acquire('password');
    if (!release) {
      throw new APIError(
        'SERVICE_UNAVAILABLE',
        { message: TOO_MANY },
        { 'retry-after': `${WAIT_MS / 1000}` },
      );
    }
    try {
      return await work();
    } finally {
      release();
    }
  };
  return {
    hash: (password) => inTurn(() => hash(password)),
    verify: (given) => inTurn(() => verify(given)),
  };
}

/** How long a password may be, in UTF-16 units, as Better Auth counts. */
export const PASSWORD_MIN_LENGTH = 8;
export const PASSWORD_MAX_LENGTH = 128;

/** What is wrong with a password that someone chooses, as a sentence, or undefined. */
export function passwordProblem(password: string): string | undefined {
  if (password.length < PASSWORD_MIN_LENGTH) {
    return `The password must have at least ${PASSWORD_MIN_LENGTH} characters.`;
  }
  if (password.length > PASSWORD_MAX_LENGTH) {
    return `The password must have at most ${PASSWORD_MAX_LENGTH} characters.`;
  }
  return undefined;
}
