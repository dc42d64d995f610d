'use server';

import { RedirectType, redirect } from 'next/navigation';
import { formAction } from '#app/data/action.ts';
import { setResponseCookies } from '#app/data/action-response.ts';
import { textOf } from '#app/lib/form-state.ts';

/**
 * Accepts an invitation as the signed-in user and switches to its workspace. The page says there if it needs a second factor. Returns if
 * the session does not open that workspace.
 */
export const accept = formAction({ shows: null, fields: [] }, async ({ invitations }, form) => {
  const { closedBy } = await invitations.accept({ token: textOf(form, 'token') });
  if (closedBy === null || closedBy === 'second_factor') redirect('/inbox', RedirectType.replace);
});

/**
 * Creates the invited user's account and signs the user in. The inbox replaces the used link in the browser history.
 * If sign-in is refused, the account exists anyway and the sign-in page says so.
 */
export const join = formAction(
  { shows: null, fields: ['name', 'password'] },
  async ({ invitations }, form) => {
    const [token, name, password] = [textOf(form, 'token'), textOf(form, 'name'), textOf(form, 'password')];
    const outcome = await invitations.join({ token, name, password });
    if (outcome.kind !== 'signed_in') redirect('/sign-in?after=joining', RedirectType.replace);
    await setResponseCookies(outcome.setCookies);
    redirect('/inbox', RedirectType.replace);
  },
);
