import { cookies, headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { parseSetCookie } from '#app/lib/parse-set-cookie.ts';

/** Sets the cookies that a procedure returned on the action's response. */
export async function setResponseCookies(setCookies: string[]): Promise<void> {
  const jar = await cookies();
  for (const header of setCookies) {
    const cookie = parseSetCookie(header);
    if (cookie) jar.set(cookie);
  }
}

/** Redirects a form submitted without JavaScript. With JavaScript, returns `goTo` for the page to load. */
export async function redirectWithoutScript(goTo: string): Promise<{ goTo: string }> {
  const sentByScript = (await headers()).has('next-action');
  if (!sentByScript) redirect(goTo);
  return { goTo };
}
