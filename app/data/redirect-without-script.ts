import { headers } from 'next/headers';
import { redirect } from 'next/navigation';

/** Where a form leads that was sent: without JavaScript the response is the redirect, with it the page loads `goTo`. */
export async function redirectWithoutScript(goTo: string): Promise<{ goTo: string }> {
  const sentByScript = (await headers()).has('next-action');
  if (!sentByScript) redirect(goTo);
  return { goTo };
}
