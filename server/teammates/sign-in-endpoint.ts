import { BASE_ERROR_CODES, type BetterAuthPlugin } from 'better-auth';
import { APIError, createAuthEndpoint, signInEmail } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import { parseEmail } from '#server/contract/parse-email.ts';
import { PASSWORD_MAX_LENGTH } from '#server/teammates/passwords.ts';

export const SIGN_IN_PATH = '/sign-in/email';

/**
 * Replaces Better Auth's endpoint for signing in with a password. That one refuses addresses that can be invited, such as
 * `r&d@acme.example`, and all in domains like `.xn--p1ai`: their accounts could never be signed in to.
 */
export const signInPlugin = {
  id: 'sign-in-with-every-address',
  endpoints: {
    signInEmail: createAuthEndpoint(SIGN_IN_PATH, signInEmail().options, async (ctx) => {
      const { internalAdapter, password: hashing } = ctx.context;
      const { password } = ctx.body;
      const email = parseEmail(typedAddress(ctx.body));
      if (email === undefined) throw APIError.from('BAD_REQUEST', BASE_ERROR_CODES.INVALID_EMAIL);
      if (password.length > PASSWORD_MAX_LENGTH)
        throw APIError.from('BAD_REQUEST', BASE_ERROR_CODES.PASSWORD_TOO_LONG);
      const found = await internalAdapter.findUserByEmail(email, { includeAccounts: true });
      const hash = found?.accounts.find(({ providerId }) => providerId === 'credential')?.password;
      // Without a stored hash a password is hashed too, so that the duration reveals no account.
      if (!hash) await hashing.hash(password);
      if (!found || !hash || !(await hashing.verify({ hash, password })))
        throw APIError.from('UNAUTHORIZED', BASE_ERROR_CODES.INVALID_EMAIL_OR_PASSWORD);
      const session = await internalAdapter.createSession(found.user.id);
      await setSessionCookie(ctx, { session, user: found.user });
      return ctx.json({ user: { id: found.user.id } });
    }),
  },
} satisfies BetterAuthPlugin;

/** Returns the address in the body of a sign-in as accounts store it. A text that is no address stays as it is. */
export function typedAddress(body: unknown): string {
  const email = typeof body === 'object' && body !== null && 'email' in body ? body.email : '';
  return typeof email === 'string' ? (parseEmail(email.trim()) ?? email) : '';
}
