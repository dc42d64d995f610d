'use server';

import { openScreens } from '#app/data/open-screens.ts';
import { type FormState, failed, succeeded, textOf } from '#app/lib/form-state.ts';
import { keepCookies } from '#app/lib/keep-cookies.ts';

/** Gives whoever is signed in another password. */
export async function changePassword(before: FormState, form: FormData): Promise<FormState> {
  const [password, newPassword] = [textOf(form, 'password'), textOf(form, 'newPassword')];
  try {
    const { setCookies } = await (await openScreens()).account.changePassword({ password, newPassword });
    await keepCookies(setCookies);
  } catch (error) {
    return failed(before, error, { fields: ['password', 'newPassword'] });
  }
  return succeeded(before);
}
