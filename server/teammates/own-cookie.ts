import { parseCookies } from 'better-auth/cookies';
import { settings } from '#server/core/env.ts';

/** A cookie of this service, without the prefix that browsers demand to be set over HTTPS (RFC 6265bis §4.1.3). */
export type OwnCookie = { name: string; lifeSeconds: number; path: string; sameSite: 'strict' | 'lax' };

/**
 * Lifetime of the cookie of a session: the longest that browsers accept (RFC 6265bis §5.5). The session itself ends earlier unless it is
 * used. It is extended in the middle of requests that cannot renew the cookie.
 */
export const SESSION_COOKIE_SECONDS = 400 * 24 * 60 * 60;

/** Returns name and attributes of a cookie (RFC 6265). Scripts cannot read it. */
export function cookieOf({ name, lifeSeconds, path, sameSite }: OwnCookie) {
  const secure = settings().BASE_URL.startsWith('https://');
  return {
    name: `${secure ? '__Secure-' : ''}inbox.${name}`,
    attributes: { maxAge: lifeSeconds, path, httpOnly: true, sameSite, secure },
  };
}

/** Returns the value of a cookie in the headers of a request, empty without one. */
export function readCookie(headers: Headers | undefined, cookie: OwnCookie): string {
  return parseCookies(headers?.get('cookie') ?? '').get(cookieOf(cookie).name) ?? '';
}

/** Returns the `Set-Cookie` header of a cookie. An empty value with a life of 0 removes it. */
export function cookieHeader(cookie: OwnCookie, value: string): string {
  const { name, attributes } = cookieOf(cookie);
  const sameSite = attributes.sameSite === 'strict' ? 'Strict' : 'Lax';
  const flags = `Max-Age=${attributes.maxAge}; Path=${attributes.path}; HttpOnly; SameSite=${sameSite}`;
  return `${name}=${value}; ${flags}${attributes.secure ? '; Secure' : ''}`;
}
