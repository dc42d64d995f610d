import { betterAuth } from 'better-auth';
import { prismaAdapter } from 'better-auth/adapters/prisma';
import { APIError, createAuthMiddleware } from 'better-auth/api';
import { db } from '#server/db.ts';
import { settings } from '#server/env.ts';
import { resetLimit, takeFrom } from '#server/limits/limits.ts';
import { log } from '#server/log.ts';
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '#server/teammates/password-problem.ts';
import { handOverResetToken } from '#server/teammates/reset-token.ts';
import { workspaceToOpen } from '#server/teammates/workspace-to-open.ts';

/** The header in which our HTTP server passes on the client's address, as `TRUST_PROXY` has it. */
export const CLIENT_ADDRESS_HEADER = 'x-client-address';
/** Where Better Auth's own API is served. */
export const AUTH_PATH = '/api/auth';
const SIGN_IN_PATH = '/sign-in/email';
const SESSION_SECONDS = 60 * 60 * 24 * 14;
/** For how long a link in a mail lets somebody choose a new password. */
export const RESET_SECONDS = 60 * 60;
const TOO_MANY = 'Too many attempts to sign in. Wait a few minutes and try again.';

type Auth = ReturnType<typeof makeAuth>;
const shared = globalThis as typeof globalThis & { serviceAuth?: Auth };

/** Teammates' sign-in: e-mail and password, sessions in PostgreSQL. Nobody can sign up; invitations make users. */
export function auth(): Auth {
  shared.serviceAuth ??= makeAuth();
  return shared.serviceAuth;
}

function makeAuth() {
  const { BASE_URL, SESSION_SECRET } = settings();
  return betterAuth({
    baseURL: BASE_URL,
    basePath: AUTH_PATH,
    secret: SESSION_SECRET,
    trustedOrigins: [new URL(BASE_URL).origin],
    database: prismaAdapter(db(), { provider: 'postgresql' }),
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: PASSWORD_MIN_LENGTH,
      maxPasswordLength: PASSWORD_MAX_LENGTH,
      resetPasswordTokenExpiresIn: RESET_SECONDS,
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: async ({ token }) => handOverResetToken(token),
      onPasswordReset: ({ user }) => forgetEarlier(user),
    },
    // Of a link to a new password too only a digest is stored.
    verification: { storeIdentifier: 'hashed' },
    session: {
      expiresIn: SESSION_SECONDS,
      additionalFields: { workspaceId: { type: 'string', required: false, input: false } },
    },
    databaseHooks: {
      session: {
        create: {
          before: async (session) => ({
            data: { ...session, workspaceId: await workspaceToOpen(db(), session.userId) },
          }),
        },
      },
    },
    advanced: {
      database: { generateId: false },
      cookiePrefix: 'inbox',
      ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS_HEADER] },
      // Said here because otherwise a variable NODE_ENV or TEST in the environment switches both checks off.
      disableOriginCheck: false,
      disableCSRFCheck: false,
    },
    // Its own limiter knows addresses alone and too few attempts for a team behind one; ours is below.
    rateLimit: { enabled: false },
    hooks: { before: limitSignIn, after: forgiveSignIn },
    telemetry: { enabled: false },
    logger: { log: (level, message) => log()[LOG_LEVELS[level]]({ message }, 'auth.logged') },
  });
}

/** Better Auth warns of every wrong password, which is nothing to wake an operator for. */
const LOG_LEVELS = { debug: 'debug', info: 'debug', success: 'debug', warn: 'info', error: 'info' } as const;

/**
 * Refuses sign-in past 30 a minute from one address, or after 10 failures of one account. An attempt counts as a
 * failure before its password is looked at, or attempts made at the same time would not see each other.
 */
const limitSignIn = createAuthMiddleware(async (context) => {
  if (context.path !== SIGN_IN_PATH) return;
  const address = await takeFrom('sign_in', context.headers?.get(CLIENT_ADDRESS_HEADER) ?? 'unknown');
  if (!address.allowed || !(await takeFrom('sign_in_failure', accountOf(context.body))).allowed) {
    throw new APIError('TOO_MANY_REQUESTS', { message: TOO_MANY });
  }
});

const forgiveSignIn = createAuthMiddleware(async (context) => {
  if (context.path !== SIGN_IN_PATH || !context.context.newSession) return;
  await resetLimit('sign_in_failure', accountOf(context.body));
});

/** With a new password other links to one end, and failures to sign in with the old one are forgotten. */
async function forgetEarlier({ id, email }: { id: string; email: string }): Promise<void> {
  await db().verification.deleteMany({ where: { value: id } });
  await resetLimit('sign_in_failure', accountKey(email));
}

/** At most so much of an e-mail counts, as the limiter's key has a bounded length. */
const ACCOUNT_MAX_LENGTH = 200;

/** The key under which limits of an account are counted, whether there is such an account or not. */
export function accountKey(email: string): string {
  return email.toLowerCase().slice(0, ACCOUNT_MAX_LENGTH);
}

function accountOf(body: unknown): string {
  const email = typeof body === 'object' && body !== null && 'email' in body ? body.email : '';
  return typeof email === 'string' ? accountKey(email) : '';
}
