import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { APIError, createAuthMiddleware } from 'better-auth/api';
import { db } from '#server/core/database/prisma.ts';
import { addressKey, requestAddress } from '#server/core/limits/address-key.ts';
import { resetLimit, takeFrom } from '#server/core/limits/limits.ts';
import { digest } from '#server/core/secrets.ts';
import { isStorableText } from '#server/core/text.ts';
import { findKnownBrowser, knownBrowserCookie, rememberBrowser } from '#server/teammates/known-browser.ts';

const SIGN_IN_PATH = '/sign-in/email';
const TOO_MANY =
  'Too many attempts to sign in. Wait a few minutes and try again, or reset your password by email.';

/**
 * Guards sign-in so that no one guesses a password and no one locks its owner out. A browser that signed in to the
 * account before has ten failures of its own. A stranger is refused past 30 attempts a minute from one address, or
 * after 10 failures of one account at one address; failures of an account from all addresses only make its strangers
 * wait.
 *
 * An attempt counts as a failure before its password is looked at, or attempts made at the same time would not see each
 * other. Unknown accounts are treated the same.
 */
export const limitSignIn = createAuthMiddleware(async ({ path, headers, body, context }) => {
  if (path !== SIGN_IN_PATH) return;
  const email = emailIn(body);
  const browser = headers && (await findKnownBrowser(headers, email));
  if (browser !== undefined && (await takeFrom('sign_in_browser', browser)).allowed) return;
  const address = requestAddress(headers);
  const fromAddress = await takeFrom('sign_in', address);
  if (!fromAddress.allowed) throw tooMany(fromAddress.retryAfterSeconds);
  const ofAccountThere = await takeFrom('sign_in_failure', accountAtAddress(email, address));
  if (!ofAccountThere.allowed) throw tooMany(ofAccountThere.retryAfterSeconds);
  const account = accountKey(email);
  const { limit, remaining } = await takeFrom('sign_in_account', account);
  const ms = delayMs(limit - remaining);
  if (!(await slowDown(account, ms))) throw tooMany(Math.ceil(ms / 1000));
  await evenOut(email, context.internalAdapter);
});

/**
 * Better Auth hashes the password for an unknown account too, but asks for the passwords of a known one alone. Here the
 * same is asked for an unknown one, so that the time taken reveals no difference.
 */
async function evenOut(
  email: string,
  { findAccounts }: { findAccounts(userId: string): Promise<unknown> },
): Promise<void> {
  if (!isStorableText(email)) return;
  const where = { email: email.toLowerCase() };
  const user = await db().user.findUnique({ where, select: { id: true } });
  if (!user) await findAccounts(randomUUID());
}

/** Who signed in has their failures forgotten, and their browser is known from now on. */
export const forgiveSignIn = createAuthMiddleware(async (context) => {
  const { newSession } = context.context;
  if (context.path !== SIGN_IN_PATH || !newSession) return;
  const { headers } = context;
  const email = emailIn(context.body);
  const browser = headers && (await findKnownBrowser(headers, email));
  if (browser !== undefined) {
    await resetLimit('sign_in_browser', browser);
  } else {
    await resetLimit('sign_in_failure', accountAtAddress(email, requestAddress(headers)));
    await resetLimit('sign_in_account', accountKey(email));
  }
  const value = await rememberBrowser(headers, newSession.user.id);
  const { name, attributes } = knownBrowserCookie();
  if (value !== undefined) context.setCookie(name, value, attributes);
});

function tooMany(retryAfterSeconds: number): APIError {
  return new APIError('TOO_MANY_REQUESTS', { message: TOO_MANY }, { 'retry-after': `${retryAfterSeconds}` });
}

function emailIn(body: unknown): string {
  const email = typeof body === 'object' && body !== null && 'email' in body ? body.email : '';
  return typeof email === 'string' ? email : '';
}

/** Failures of an account, from all addresses together, that cost no time; each further one costs `STEP_MS` more. */
const FREE_FAILURES = 50;
const STEP_MS = 100;
const DELAY_MAX_MS = 10_000;

/** So many requests wait at once: for one account, and in this process. */
const WAITING_MAX_PER_ACCOUNT = 10;
const WAITING_MAX = 100;

const waiting = new Map<string, number>();
let waitingInAll = 0;

/** How long an attempt waits before its password is looked at, after so many failures of the account; in milliseconds. */
export function delayMs(failures: number): number {
  return Math.min(Math.max(0, failures - FREE_FAILURES) * STEP_MS, DELAY_MAX_MS);
}

/**
 * Waits before the password of an account is looked at: guessing from many addresses becomes slow (in this process ten
 * guesses in ten seconds at most), and its owner still gets in.
 * @returns false, at once, when too many wait already
 */
export async function slowDown(account: string, ms: number): Promise<boolean> {
  if (ms <= 0) return true;
  const before = waiting.get(account) ?? 0;
  if (before >= WAITING_MAX_PER_ACCOUNT || waitingInAll >= WAITING_MAX) return false;
  waiting.set(account, before + 1);
  waitingInAll += 1;
  await sleep(ms);
  waitingInAll -= 1;
  const left = (waiting.get(account) ?? 1) - 1;
  if (left > 0) waiting.set(account, left);
  else waiting.delete(account);
  return true;
}

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
