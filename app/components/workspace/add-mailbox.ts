'use server';

import { revalidatePath } from 'next/cache';
import { openScreens } from '#app/data/open-screens.ts';
import { type FormState, failed, succeeded, textOf } from '#app/lib/form-state.ts';

/** Adds a mailbox to the open workspace. */
export async function addMailbox(before: FormState, form: FormData): Promise<FormState> {
  const sent = { name: textOf(form, 'name'), address: textOf(form, 'address') };
  try {
    await (await openScreens()).workspaces.addMailbox(sent);
  } catch (error) {
    return failed(before, error, { values: sent, fields: Object.keys(sent) });
  }
  revalidatePath('/settings/workspace');
  return succeeded(before);
}
