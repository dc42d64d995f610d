import { cookies, headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { parseSetCookie } from '#app/lib/parse-set-cookie.ts';

/** Sends the cookies a procedure issued with the response of the running action. */
export async function keepCookies(setCookies: string[]): Promise<void> {
  const jar = await cookies();
  for (const header of setCookies) {
    const cookie = parseSetCookie(header);
    if (cookie) jar.set(cookie);
  }
}

/** Where a form leads that was sent: without JavaScript the response is the redirect, with it the page loads `goTo`. */
export async function redirectWithoutScript(goTo: string): Promise<{ goTo: string }> {
  const sentByScript = (await headers()).has('next-action');
  if (!sentByScript) redirect(goTo);
  return { goTo };
}
