'use server';

import { RedirectType, redirect } from 'next/navigation';
import { openScreens } from '#app/data/open-screens.ts';
import { type FormState, refusedAfter, textOf } from '#app/lib/form-state.ts';

/** Sets a new password with the token of a mailed link, and leads to signing in with it. */
export async function resetPassword(before: FormState, form: FormData): Promise<FormState> {
  const given = { token: textOf(form, 'token'), newPassword: textOf(form, 'newPassword') };
  try {
    await (await openScreens()).account.resetPassword(given);
  } catch (error) {
    return refusedAfter(before, error, { fields: ['newPassword', 'token'] });
  }
  redirect('/sign-in?after=new-password', RedirectType.replace);
}
