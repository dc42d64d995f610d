import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { BASE_ERROR_CODES } from 'better-auth';
import { APIError, createAuthMiddleware, isAPIError } from 'better-auth/api';
import { db } from '#server/core/database/prisma.ts';
import { addressKey, requestAddress } from '#server/core/limits/address-key.ts';
import { consumeLimit, resetLimit } from '#server/core/limits/limits.ts';
import { makeSemaphore } from '#server/core/limits/semaphore.ts';
import { digest } from '#server/core/secrets.ts';
import { isStorableText } from '#server/core/text.ts';
import { endOutdatedSignIn, noteHash } from '#server/teammates/end-outdated-sign-in.ts';
import { findKnownBrowser, knownBrowserCookie, rememberBrowser } from '#server/teammates/known-browser.ts';
import { SESSION_COOKIE_SECONDS } from '#server/teammates/own-cookie.ts';
import { recordFailedSignIn, recordSignIn } from '#server/teammates/record-sign-in.ts';
import { SIGN_IN_PATH, typedAddress } from '#server/teammates/sign-in-endpoint.ts';

const TOO_MANY =
  'Too many attempts to sign in. Wait a few minutes and try again, or reset your password by email.';

/**
 * Limits sign-in against guessing, without locking the owner out. A browser that signed in to the account before has
 * a separate limit of ten failures. A stranger is refused after 30 attempts a minute from one IP address, or after 10
 * failures for one account from one address. Failures for an account from all addresses only delay attempts from
 * unknown browsers.
 *
 * An attempt counts as a failure before its password is checked, so that simultaneous attempts count each
 * other. Unknown accounts are handled in the same way.
 */
export const limitSignIn = createAuthMiddleware(async ({ path, headers, body, request, context }) => {
  if (path !== SIGN_IN_PATH) return;
  const email = typedAddress(body);
  const browser = headers && (await findKnownBrowser(headers, email));
  if (browser === undefined || !(await consumeLimit('sign_in_browser', browser)).allowed) {
    await limitStranger(headers, email);
    await equalizeWork(email, context.internalAdapter);
  }
  await noteHash(request, email);
});

/** @throws APIError with status 429 when an unknown browser has to wait */
async function limitStranger(headers: Headers | undefined, email: string): Promise<void> {
  const address = requestAddress(headers);
  const fromAddress = await consumeLimit('sign_in', address);
  if (!fromAddress.allowed) throw tooMany(fromAddress.retryAfterSeconds);
  const atAddress = await consumeLimit('sign_in_failure', accountAtAddress(email, address));
  if (!atAddress.allowed) throw tooMany(atAddress.retryAfterSeconds);
  const account = accountKey(email);
  const { limit, remaining } = await consumeLimit('sign_in_account', account);
  const ms = delayMs(limit - remaining);
  if (!(await slowDown(account, ms))) throw tooMany(Math.ceil(ms / 1000));
}

/**
 * Better Auth hashes the password for an unknown account too, but only queries the passwords of a known
 * account. This runs the same query for an unknown account, so that the duration reveals no difference.
 */
async function equalizeWork(
  email: string,
  { findAccounts }: { findAccounts(userId: string): Promise<unknown> },
): Promise<void> {
  if (!isStorableText(email)) return;
  const where = { email: email.toLowerCase() };
  const user = await db().user.findUnique({ where, select: { id: true } });
  if (!user) await findAccounts(randomUUID());
}

/**
 * Resets the failures of the teammate who signed in, remembers their browser, and records the sign-in or its failure. Responds as to
 * a wrong password if the password was changed in the meantime.
 */
export const forgiveSignIn = createAuthMiddleware(async (context) => {
  const { newSession, returned } = context.context;
  if (context.path !== SIGN_IN_PATH) return;
  const { headers, request } = context;
  if (!newSession) {
    if (isAPIError(returned) && returned.status === 'UNAUTHORIZED') {
      await recordFailedSignIn(typedAddress(context.body), headers);
    }
    return;
  }
  if (await endOutdatedSignIn(request, newSession.session)) {
    context.context.responseHeaders?.delete('set-cookie');
    throw APIError.from('UNAUTHORIZED', BASE_ERROR_CODES.INVALID_EMAIL_OR_PASSWORD);
  }
  keepCookie(context.context.responseHeaders);
  const email = typedAddress(context.body);
  const browser = headers && (await findKnownBrowser(headers, email));
  if (browser !== undefined) {
    await resetLimit('sign_in_browser', browser);
  } else {
    await resetLimit('sign_in_failure', accountAtAddress(email, requestAddress(headers)));
    await resetLimit('sign_in_account', accountKey(email));
  }
  const { session } = newSession;
  await recordSignIn({ session, headers, isKnownBrowser: browser !== undefined });
  const value = await rememberBrowser(headers, newSession.user.id);
  const { name, attributes } = knownBrowserCookie();
  context.setCookie(name, value, attributes);
});

/** Lets the browser keep the session's cookie longer than Better Auth does (`SESSION_COOKIE_SECONDS`). */
function keepCookie(headers: Headers | undefined): void {
  const lines = headers?.getSetCookie() ?? [];
  headers?.delete('set-cookie');
  for (const line of lines)
    headers?.append('set-cookie', line.replace(/; Max-Age=\d+/, `; Max-Age=${SESSION_COOKIE_SECONDS}`));
}

function tooMany(retryAfterSeconds: number): APIError {
  return new APIError('TOO_MANY_REQUESTS', { message: TOO_MANY }, { 'retry-after': `${retryAfterSeconds}` });
}

/** Failures of an account from all addresses that cause no delay; each further failure adds `STEP_MS`. */
const FREE_FAILURES = 50;
const STEP_MS = 100;
const DELAY_MAX_MS = 10_000;

/** Maximum number of delayed requests: for one account, and in this process. */
const WAITING_MAX_PER_ACCOUNT = 10;
const WAITING_MAX = 100;

const accountSlots = makeSemaphore({ max: WAITING_MAX_PER_ACCOUNT, waitingMax: 0 });
const processSlots = makeSemaphore({ max: WAITING_MAX, waitingMax: 0 });

/** Returns the delay in ms before the password is checked, after this number of failures of the account. */
export function delayMs(failures: number): number {
  return Math.min(Math.max(0, failures - FREE_FAILURES) * STEP_MS, DELAY_MAX_MS);
}

/**
 * Delays the password check of an account. Guessing from many addresses becomes slow (at most ten guesses in
 * ten seconds per process), and the owner can still sign in.
 * @returns false immediately when too many requests are waiting
 */
export async function slowDown(account: string, ms: number): Promise<boolean> {
  if (ms <= 0) return true;
  const ofAccount = await accountSlots(account);
  const ofProcess = ofAccount && (await processSlots('all'));
  if (ofProcess) await sleep(ms);
  ofProcess?.();
  ofAccount?.();
  return ofProcess !== undefined;
}

/** Length to which an email is cut for a limiter key. */
const ACCOUNT_MAX_LENGTH = 200;

/** Returns the limiter key of an account, whether the account exists or not. */
export function accountKey(email: string): string {
  return email.toLowerCase().slice(0, ACCOUNT_MAX_LENGTH);
}

/**
 * Returns the limiter key of an account at one IP address, so that a stranger there cannot use up the owner's
 * attempts elsewhere.
 */
export function accountAtAddress(email: string, address: string): string {
  return `${addressKey(address)} ${Buffer.from(digest(accountKey(email))).toString('base64url')}`;
}
