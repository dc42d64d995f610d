'use server';

import { RedirectType, redirect } from 'next/navigation';
import { openScreens } from '#app/data/open-screens.ts';
import { type FormState, failed, textOf } from '#app/lib/form-state.ts';

/** Accepts an invitation as whoever is signed in, and opens the workspace. */
export async function accept(before: FormState, form: FormData): Promise<FormState> {
  try {
    await (await openScreens()).invitations.accept({ token: textOf(form, 'token') });
  } catch (error) {
    return failed(before, error, { fields: [] });
  }
  redirect('/inbox', RedirectType.replace);
}
