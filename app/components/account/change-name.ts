'use server';

import { revalidatePath } from 'next/cache';
import { openScreens } from '#app/data/open-screens.ts';
import { type FormState, failed, succeeded, textOf } from '#app/lib/form-state.ts';

/** Gives whoever is signed in another name. */
export async function changeName(before: FormState, form: FormData): Promise<FormState> {
  const name = textOf(form, 'name');
  try {
    await (await openScreens()).account.changeName({ name });
  } catch (error) {
    return failed(before, error, { values: { name }, fields: ['name'] });
  }
  revalidatePath('/', 'layout');
  return succeeded(before);
}
