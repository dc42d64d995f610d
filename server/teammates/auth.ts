import { AsyncLocalStorage } from 'node:async_hooks';
import { betterAuth } from 'better-auth';
import { prismaAdapter } from 'better-auth/adapters/prisma';
import { hashPassword, verifyPassword } from 'better-auth/crypto';
import { db } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { CLIENT_ADDRESS_HEADER } from '#server/core/limits/address-key.ts';
import { resetLimit } from '#server/core/limits/limits.ts';
import { log } from '#server/core/log.ts';
import { defaultWorkspace } from '#server/teammates/default-workspace.ts';
import { accountKey, forgiveSignIn, limitSignIn } from '#server/teammates/limit-sign-in.ts';
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH, passwordHashing } from '#server/teammates/passwords.ts';

/** Where Better Auth's own API is served. */
export const AUTH_PATH = '/api/auth';
const SESSION_SECONDS = 60 * 60 * 24 * 14;
/** How often a session that is used is prolonged. */
const PROLONGED_EVERY_SECONDS = 60 * 60 * 24;
/** A session that lives longer than this need not be prolonged yet. */
export const FRESH_SECONDS = SESSION_SECONDS - PROLONGED_EVERY_SECONDS;
/** For how long a link in a mail lets someone choose a new password. */
export const RESET_SECONDS = 60 * 60;

type Auth = ReturnType<typeof makeAuth>;
const shared = globalThis as typeof globalThis & { serviceAuth?: Auth };

/** Teammates' sign-in: email and password, sessions in PostgreSQL. No one can sign up; invitations make users. */
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
      password: passwordHashing({ hash: hashPassword, verify: verifyPassword }),
      resetPasswordTokenExpiresIn: RESET_SECONDS,
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: async ({ token }) => handOverResetToken(token),
      onPasswordReset: ({ user }) => forgetEarlier(user),
    },
    // Of a link to a new password too only a digest is stored.
    verification: { storeIdentifier: 'hashed' },
    session: {
      expiresIn: SESSION_SECONDS,
      updateAge: PROLONGED_EVERY_SECONDS,
      additionalFields: { workspaceId: { type: 'string', required: false, input: false } },
    },
    databaseHooks: {
      session: {
        create: {
          before: async (session) => ({
            data: { ...session, workspaceId: await defaultWorkspace(db(), session.userId) },
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
    // Its own limiter knows addresses alone and too few attempts for a team behind one.
    rateLimit: { enabled: false },
    hooks: { before: limitSignIn, after: forgiveSignIn },
    telemetry: { enabled: false },
    logger: { log: (level, message) => log()[LOG_LEVELS[level]]({ message }, 'auth.logged') },
  });
}

/** Better Auth warns of every wrong password, which is nothing to wake an operator for. */
const LOG_LEVELS = { debug: 'debug', info: 'debug', success: 'debug', warn: 'info', error: 'info' } as const;

/**
 * With a new password other links to one end, so that another one may be mailed, and failures with the old are
 * forgotten.
 */
async function forgetEarlier({ id, email }: { id: string; email: string }): Promise<void> {
  await db().verification.deleteMany({ where: { value: id } });
  await resetLimit('sign_in_account', accountKey(email));
  await resetLimit('reset_mail', accountKey(email));
}

/** Better Auth swallows a fault of this callback, so it only hands the token over to its caller. */
const asking = new AsyncLocalStorage<{ token?: string }>();

/** Called by Better Auth with the token that it made. */
function handOverResetToken(token: string): void {
  const asked = asking.getStore();
  if (asked) asked.token = token;
}

/**
 * Runs what makes Better Auth issue a token for a new password, and returns it; undefined: there is no such account.
 */
export async function catchResetToken(ask: () => Promise<unknown>): Promise<string | undefined> {
  const asked: { token?: string } = {};
  await asking.run(asked, ask);
  return asked.token;
}
