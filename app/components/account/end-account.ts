'use server';

import { openScreens } from '#app/data/open-screens.ts';
import { type FormState, failed, succeeded, textOf } from '#app/lib/form-state.ts';
import { keepCookies } from '#app/lib/keep-cookies.ts';

/** Deletes the account of whoever is signed in, and forgets the session in this browser. */
export async function endAccount(before: FormState, form: FormData): Promise<FormState> {
  try {
    const { setCookies } = await (await openScreens()).account.delete({ password: textOf(form, 'password') });
    await keepCookies(setCookies);
  } catch (error) {
    return failed(before, error, { fields: ['password'] });
  }
  return succeeded(before);
}
