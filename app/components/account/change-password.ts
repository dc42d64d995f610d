'use server';

import { openScreens } from '#app/data/open-screens.ts';
import { doneAfter, type FormState, refusedAfter, textOf } from '#app/lib/form-state.ts';

/** Gives whoever is signed in another password. */
export async function changePassword(before: FormState, form: FormData): Promise<FormState> {
  const [password, newPassword] = [textOf(form, 'password'), textOf(form, 'newPassword')];
  try {
    await (await openScreens()).account.changePassword({ password, newPassword });
  } catch (error) {
    return refusedAfter(before, error, { fields: ['password', 'newPassword'] });
  }
  return doneAfter(before);
}
