import { createHmac, timingSafeEqual } from 'node:crypto';
import { parseCookies } from 'better-auth/cookies';
import { auth } from '#server/teammates/auth.ts';

/**
 * The token of the session behind a request's cookies, whose signature is ours; null when there is none. Better Auth signs it:
 * the token, a dot, and the HMAC-SHA-256 of the token under the secret of sessions in base64.
 */
export async function readSessionToken(headers: Headers): Promise<string | null> {
  const { authCookies, secret } = await auth().$context;
  const cookie = parseCookies(headers.get('cookie') ?? '').get(authCookies.sessionToken.name);
  if (cookie === undefined) return null;
  const dot = cookie.lastIndexOf('.');
  if (dot < 1) return null;
  const token = cookie.slice(0, dot);
  const given = Buffer.from(cookie.slice(dot + 1), 'base64');
  const right = createHmac('sha256', secret).update(token).digest();
  return given.length === right.length && timingSafeEqual(given, right) ? token : null;
}
