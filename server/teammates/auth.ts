import { betterAuth } from 'better-auth';
import { prismaAdapter } from 'better-auth/adapters/prisma';
import { hashPassword, verifyPassword } from 'better-auth/crypto';
import { db } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { CLIENT_ADDRESS_HEADER } from '#server/core/limits/address-key.ts';
import { log } from '#server/core/log.ts';
import { processState } from '#server/core/process-state.ts';
import { defaultWorkspace } from '#server/teammates/default-workspace.ts';
import { forgiveSignIn, limitSignIn } from '#server/teammates/limit-sign-in.ts';
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH, passwordHashing } from '#server/teammates/passwords.ts';
import { signInPlugin } from '#server/teammates/sign-in-endpoint.ts';
import { isTrustedBrowser } from '#server/teammates/trusted-browser.ts';

/** Path of Better Auth's API. */
export const AUTH_PATH = '/api/auth';
/** Lifetime of a session that is not used. */
export const SESSION_SECONDS = 60 * 60 * 24 * 14;
/** Interval at which an active session is extended. */
const EXTENSION_INTERVAL_SECONDS = 60 * 60 * 24;
/** A session with a longer remaining lifetime is not extended yet. */
export const FRESH_SECONDS = SESSION_SECONDS - EXTENSION_INTERVAL_SECONDS;
/** Lifetime of a password-reset link. */
export const RESET_SECONDS = 60 * 60;

/**
 * Returns Better Auth: email and password, sessions in PostgreSQL. No one can sign up; invitations create
 * users.
 */
export const auth = processState(makeAuth);

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
      password: passwordHashing({ hash: hashPassword, verify: verifyPassword }),
    },
    // Reset links, too, are stored as digests only.
    verification: { storeIdentifier: 'hashed' },
    session: {
      expiresIn: SESSION_SECONDS,
      updateAge: EXTENSION_INTERVAL_SECONDS,
      additionalFields: {
        workspaceId: { type: 'string', required: false, input: false },
        secondFactorAt: { type: 'date', required: false, input: false },
      },
    },
    databaseHooks: {
      session: {
        create: {
          // A session of an account with a second factor opens nothing until the factor was used (`findSignedIn`), whichever way
          // of signing in creates it.
          before: async (session, context) => ({
            data: {
              ...session,
              workspaceId: await defaultWorkspace(db(), session.userId),
              secondFactorAt: (await isTrustedBrowser(context?.headers, session.userId)) ? new Date() : null,
            },
          }),
        },
      },
    },
    advanced: {
      database: { generateId: false },
      cookiePrefix: 'inbox',
      ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS_HEADER] },
      // Explicit, because an environment variable NODE_ENV or TEST would otherwise turn both checks off.
      disableOriginCheck: false,
      disableCSRFCheck: false,
    },
    // Better Auth's limiter only counts per IP address and allows too few attempts for a team behind one
    // address.
    rateLimit: { enabled: false },
    plugins: [signInPlugin],
    hooks: { before: limitSignIn, after: forgiveSignIn },
    telemetry: { enabled: false },
    logger: { log: (level, message) => log()[LOG_LEVELS[level]]({ message }, 'auth.logged') },
  });
}

/** Better Auth warns about every wrong password, which needs no operator. */
const LOG_LEVELS = { debug: 'debug', info: 'debug', success: 'debug', warn: 'info', error: 'info' } as const;
