import { randomBytes, timingSafeEqual } from 'node:crypto';
import { db } from '#server/core/database/prisma.ts';
import { MAC_BYTES, signForPurpose } from '#server/core/secrets.ts';
import { isStorableText } from '#server/core/text.ts';
import { cookieHeader, cookieOf, type OwnCookie, readCookie } from '#server/teammates/own-cookie.ts';

/** A cookie part is bound to an account and its stored password hash, so that a new password invalidates it. */
export type Credential = { userId: string; password: string };

/** What a cookie of parts is for, and how long a part is valid. A part is not valid for another purpose. */
export type CookiePurpose = { purpose: string; lifeSeconds: number };

const KNOWN = { purpose: 'known browser', lifeSeconds: 365 * 24 * 60 * 60 } as const satisfies CookiePurpose;
/** Maximum number of teammates who share a browser. Another one replaces the one who signed in longest ago. */
const ACCOUNTS_MAX = 8;

const ID_BYTES = 16;
const TIME_BYTES = 4;
/** One account's part of the cookie: browser id, issue time in seconds, and an HMAC over both and the account. */
const PART = /^[\w-]{70}$/;

/** The cookie grants no access: it only exempts a browser from the limits for strangers. */
const COOKIE: OwnCookie = {
  name: 'known_browser',
  lifeSeconds: KNOWN.lifeSeconds,
  path: '/',
  sameSite: 'strict',
};

/** Returns name and attributes of the cookie, for responses that Better Auth sends. */
export function knownBrowserCookie() {
  return cookieOf(COOKIE);
}

/**
 * Returns the browser's id if someone signed in to this account with it and the password is unchanged;
 * otherwise undefined. The steps depend on the cookie only, so they do not reveal whether the account exists.
 */
export async function findKnownBrowser(headers: Headers, email: string): Promise<string | undefined> {
  const parts = partsOf(readCookie(headers, COOKIE));
  if (parts.length === 0) return undefined;
  const credential = await findCredential(email);
  const own = credential && findPart(readCookie(headers, COOKIE), credential, KNOWN);
  return own && idOf(own).toString('base64url');
}

/** Returns the valid part of an account in a cookie value. */
export function findPart(value: string, credential: Credential, cookie: CookiePurpose): Buffer | undefined {
  const own = partsOf(value).find((part) => isSignedFor(part, credential, cookie));
  return own && isFresh(own, cookie) ? own : undefined;
}

/** Returns the account with this email address, or undefined. Its password is empty without one. `email` is any text. */
export async function findCredential(email: string): Promise<Credential | undefined> {
  if (!isStorableText(email)) return undefined;
  const user = await db().user.findFirst({
    where: { email: email.trim().toLowerCase(), deletedAt: null },
    select: { id: true, accounts: PASSWORD },
    relationLoadStrategy: 'join',
  });
  return user ? { userId: user.id, password: user.accounts[0]?.password ?? '' } : undefined;
}

const PASSWORD = { where: { providerId: 'credential' }, select: { password: true } } as const;

/** Returns the new cookie value after a sign-in with the browser that sent these headers. */
export async function rememberBrowser(headers: Headers | undefined, userId: string): Promise<string> {
  const account = await db().account.findFirst({
    where: { providerId: 'credential', userId },
    select: { password: true },
  });
  return signedValue(readCookie(headers, COOKIE), { userId, password: account?.password ?? '' }, new Date());
}

/** Returns `rememberBrowser` as a `Set-Cookie` header, for responses that Better Auth does not send. */
export async function rememberBrowserHeader(headers: Headers, userId: string): Promise<string[]> {
  return [cookieHeader(COOKIE, await rememberBrowser(headers, userId))];
}

/** Puts an account first in the cookie value. Other accounts of the browser keep their parts. */
export function signedValue(
  before: string,
  credential: Credential,
  issuedAt: Date,
  cookie: CookiePurpose = KNOWN,
): string {
  const parts = partsOf(before);
  const known = parts.find((part) => isSignedFor(part, credential, cookie));
  const head = Buffer.alloc(ID_BYTES + TIME_BYTES);
  (known ? idOf(known) : randomBytes(ID_BYTES)).copy(head);
  head.writeUInt32BE(Math.floor(issuedAt.getTime() / 1000), ID_BYTES);
  const others = parts.filter((part) => part !== known);
  return [Buffer.concat([head, macOf(head, credential, cookie)]), ...others]
    .slice(0, ACCOUNTS_MAX)
    .map((part) => part.toString('base64url'))
    .join('.');
}

function partsOf(value: string): Buffer[] {
  const texts = value.split('.', ACCOUNTS_MAX).filter((text) => PART.test(text));
  return texts.map((text) => Buffer.from(text, 'base64url'));
}

function idOf(part: Buffer): Buffer {
  return part.subarray(0, ID_BYTES);
}

function isFresh(part: Buffer, { lifeSeconds }: CookiePurpose): boolean {
  const age = Date.now() / 1000 - part.readUInt32BE(ID_BYTES);
  return age >= 0 && age < lifeSeconds;
}

function isSignedFor(part: Buffer, credential: Credential, cookie: CookiePurpose): boolean {
  const [head, mac] = [part.subarray(0, -MAC_BYTES), part.subarray(-MAC_BYTES)];
  return timingSafeEqual(mac, macOf(head, credential, cookie));
}

/** The head and the user id have fixed lengths, so that the parts of two accounts never sign the same bytes. */
function macOf(head: Buffer, { userId, password }: Credential, { purpose }: CookiePurpose): Buffer {
  return signForPurpose(purpose, Buffer.concat([head, Buffer.from(`${userId} ${password}`)]));
}
