import { cookies } from 'next/headers';
import { parseSetCookie } from '#app/lib/parse-set-cookie.ts';

/** Sends the cookies a procedure issued with the response of the running action. */
export async function keepCookies(setCookies: string[]): Promise<void> {
  const jar = await cookies();
  for (const header of setCookies) {
    const cookie = parseSetCookie(header);
    if (cookie) jar.set(cookie);
  }
}
