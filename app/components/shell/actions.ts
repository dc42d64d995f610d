'use server';

import { cookies } from 'next/headers';
import { redirect } from 'next/navigation';
import { action, formAction } from '#app/data/action.ts';
import { redirectWithoutScript, setResponseCookies } from '#app/data/action-response.ts';
import { textOf } from '#app/lib/form-state.ts';
import { localPath } from '#app/lib/local-path.ts';
import { parseTheme, THEME_COOKIE } from '#app/lib/themes.ts';

const YEAR_SECONDS = 365 * 24 * 3600;

/** Switches to the workspace in the form and returns the path to open. */
export const switchThere = formAction({ shows: null, fields: [] }, async ({ session }, form) => {
  await session.switchWorkspace({ workspaceId: textOf(form, 'workspaceId') });
  return redirectWithoutScript(localPath(form.get('path')));
});

/** Ends the session. The calling page then loads the sign-in page in full, which clears all data from memory. */
export const signOut = action(null, async ({ session }) => {
  const { setCookies } = await session.signOut();
  await setResponseCookies(setCookies);
});

/** Ends the session without JavaScript, and opens the page in the form. */
export async function signOutByForm(form: FormData): Promise<void> {
  const outcome = await signOut();
  if (!outcome.done) throw new Error(outcome.problem);
  redirect(localPath(form.get('goTo')));
}

/** Stores the colour scheme in a cookie on this device. */
export async function setTheme(theme: string): Promise<void> {
  (await cookies()).set(THEME_COOKIE, parseTheme(theme), {
    path: '/',
    maxAge: YEAR_SECONDS,
    sameSite: 'lax',
    httpOnly: true,
  });
}
