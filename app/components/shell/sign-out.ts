'use server';

import { openScreens } from '#app/data/open-screens.ts';
import { keepCookies } from '#app/lib/keep-cookies.ts';

/** Ends the session. The page that asked then loads the sign-in page anew, which forgets all it had shown. */
export async function signOut(): Promise<void> {
  const { setCookies } = await (await openScreens()).session.signOut();
  await keepCookies(setCookies);
}
