'use server';

import { RedirectType, redirect } from 'next/navigation';
import { formAction } from '#app/data/action.ts';
import { keepCookies } from '#app/data/action-response.ts';
import { textOf } from '#app/lib/form-state.ts';

/** Accepts an invitation as the signed-in person, and opens the workspace. */
export const accept = formAction({ shows: null, fields: [] }, async ({ invitations }, form) => {
  await invitations.accept({ token: textOf(form, 'token') });
  redirect('/inbox', RedirectType.replace);
});

/**
 * Creates the account of an invitation and signs it in. The inbox takes the place of the link in the browser's history,
 * as the link is used up. If signing in is refused just then, the account is there: the sign-in page says so.
 */
export const join = formAction(
  { shows: null, fields: ['name', 'password'] },
  async ({ invitations }, form) => {
    const [token, name, password] = [textOf(form, 'token'), textOf(form, 'name'), textOf(form, 'password')];
    const outcome = await invitations.join({ token, name, password });
    if (outcome.kind !== 'signed_in') redirect('/sign-in?after=joining', RedirectType.replace);
    await keepCookies(outcome.setCookies);
    redirect('/inbox', RedirectType.replace);
  },
);
