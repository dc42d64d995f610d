'use server';

import { RedirectType, redirect } from 'next/navigation';
import { openScreens } from '#app/data/open-screens.ts';
import { type FormState, failed, textOf } from '#app/lib/form-state.ts';
import { keepCookies } from '#app/lib/keep-cookies.ts';

/** Sets a new password with the token of a mailed link, and leads to signing in with it. */
export async function resetPassword(before: FormState, form: FormData): Promise<FormState> {
  const given = { token: textOf(form, 'token'), newPassword: textOf(form, 'newPassword') };
  try {
    const { setCookies } = await (await openScreens()).account.resetPassword(given);
    await keepCookies(setCookies);
  } catch (error) {
    return failed(before, error, { fields: ['newPassword', 'token'] });
  }
  redirect('/sign-in?after=new-password', RedirectType.replace);
}
