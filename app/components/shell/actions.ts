'use server';

import { cookies } from 'next/headers';
import { action, formAction } from '#app/data/action.ts';
import { keepCookies, redirectWithoutScript } from '#app/data/action-response.ts';
import { textOf } from '#app/lib/form-state.ts';
import { localPath } from '#app/lib/local-path.ts';
import { readTheme, THEME_COOKIE } from '#app/lib/themes.ts';

const YEAR_SECONDS = 365 * 24 * 3600;

/** Opens another workspace in this session. */
export const switchWorkspace = action(null, async ({ session }, workspaceId: string) => {
  await session.switchWorkspace({ workspaceId });
});

/** Opens the workspace that a form names; returns the address in it to go to. */
export const switchThere = formAction({ shows: null, fields: [] }, async ({ session }, form) => {
  await session.switchWorkspace({ workspaceId: textOf(form, 'workspaceId') });
  return redirectWithoutScript(localPath(form.get('path')));
});

/** Ends the session. The page that asked then loads the sign-in page in full, which forgets all it had shown. */
export const signOut = action(null, async ({ session }) => {
  const { setCookies } = await session.signOut();
  await keepCookies(setCookies);
});

/** Keeps the colour scheme that a teammate chose, on this device. */
export async function setTheme(theme: string): Promise<void> {
  (await cookies()).set(THEME_COOKIE, readTheme(theme), {
    path: '/',
    maxAge: YEAR_SECONDS,
    sameSite: 'lax',
    httpOnly: true,
  });
}
