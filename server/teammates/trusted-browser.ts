import { db, type Tx } from '#server/core/database/prisma.ts';
import {
  type CookiePurpose,
  type Credential,
  findPart,
  signedValue,
} from '#server/teammates/known-browser.ts';
import { cookieHeader, type OwnCookie, readCookie } from '#server/teammates/own-cookie.ts';

/** For 30 days, a trusted browser is not asked for a second factor after the password. */
const TRUSTED = {
  purpose: 'trusted browser',
  lifeSeconds: 30 * 24 * 60 * 60,
} as const satisfies CookiePurpose;

const COOKIE: OwnCookie = {
  name: 'trusted_browser',
  lifeSeconds: TRUSTED.lifeSeconds,
  path: '/',
  sameSite: 'strict',
};

/** Returns whether the browser that sent these headers passed the second step of this account and may skip it. */
export async function isTrustedBrowser(headers: Headers | undefined, userId: string): Promise<boolean> {
  const value = readCookie(headers, COOKIE);
  if (value === '') return false;
  const credential = await findFactor(userId);
  return credential !== undefined && findPart(value, credential, TRUSTED) !== undefined;
}

/** Returns the `Set-Cookie` header that makes a browser trusted. */
export async function trustBrowserHeader(headers: Headers, userId: string): Promise<string[]> {
  const credential = await findFactor(userId);
  if (!credential) return [];
  const value = signedValue(readCookie(headers, COOKIE), credential, new Date(), TRUSTED);
  return [cookieHeader(COOKIE, value)];
}

/**
 * Ends the trust in all browsers of a teammate, also in the one that a thief has: their next sign-in asks for the second factor.
 * Returns whether the teammate has one.
 */
export async function endTrust(tx: Tx, userId: string): Promise<boolean> {
  const { count } = await tx.secondFactor.updateMany({
    where: { userId, enabledAt: { not: null } },
    data: { trustEndedAt: new Date() },
  });
  return count > 0;
}

/** The trust ends with a new password, with `endTrust`, and when the second factor is turned off, reset or set up again. */
async function findFactor(userId: string): Promise<Credential | undefined> {
  const [account, factor] = await Promise.all([
    db().account.findFirst({ where: { providerId: 'credential', userId }, select: { password: true } }),
    db().secondFactor.findUnique({ where: { userId }, select: { enabledAt: true, trustEndedAt: true } }),
  ]);
  if (!factor?.enabledAt) return undefined;
  const since = [factor.enabledAt, factor.trustEndedAt].map((at) => at?.toISOString() ?? '');
  return { userId, password: [account?.password ?? '', ...since].join(' ') };
}
