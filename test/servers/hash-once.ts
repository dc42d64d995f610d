import { hashPassword, verifyPassword } from 'better-auth/crypto';
import { auth } from '#server/teammates/auth.ts';
import { type PasswordHashing, passwordHashing } from '#server/teammates/passwords.ts';

/** What was hashed and compared in this process; a tenth of a second of a processor each. */
const hashes = new Map<string, Promise<string>>();
const comparisons = new Map<string, Promise<boolean>>();

const remembering: PasswordHashing = {
  hash: (password) => remember(hashes, password, () => hashPassword(password)),
  verify: (given) => remember(comparisons, `${given.hash} ${given.password}`, () => verifyPassword(given)),
};

/**
 * Has the service in this process hash and compare each password once, with the same work as ever: what it found is
 * remembered, since the tests sign in thousands of times with the same one. What waits for its turn still does.
 */
export async function hashOnce(): Promise<void> {
  const { password } = await auth().$context;
  Object.assign(password, passwordHashing(remembering));
}

function remember<T>(found: Map<string, Promise<T>>, key: string, find: () => Promise<T>): Promise<T> {
  const known = found.get(key) ?? find();
  found.set(key, known);
  return known;
}
