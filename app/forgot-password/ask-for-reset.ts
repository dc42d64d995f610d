'use server';

import { openScreens } from '#app/data/open-screens.ts';
import { type FormState, failed, succeeded, textOf } from '#app/lib/form-state.ts';

/** Has a link to a new password mailed, if there is an account; the answer does not say whether there is. */
export async function askForReset(before: FormState, form: FormData): Promise<FormState> {
  const email = textOf(form, 'email').trim();
  try {
    await (await openScreens()).account.askForReset({ email });
  } catch (error) {
    return failed(before, error, { values: { email }, fields: ['email'] });
  }
  return { ...succeeded(before), values: { email } };
}
