'use server';

import { revalidatePath } from 'next/cache';
import { openScreens } from '#app/data/open-screens.ts';
import { doneAfter, type FormState, refusedAfter, textOf } from '#app/lib/form-state.ts';

/** Gives whoever is signed in another name. */
export async function changeName(before: FormState, form: FormData): Promise<FormState> {
  const name = textOf(form, 'name');
  try {
    await (await openScreens()).account.changeName({ name });
  } catch (error) {
    return refusedAfter(before, error, { values: { name }, fields: ['name'] });
  }
  revalidatePath('/', 'layout');
  return doneAfter(before);
}
