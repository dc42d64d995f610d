'use server';

import { revalidatePath } from 'next/cache';
import { openScreens } from '#app/data/open-screens.ts';
import { type FormState, failed, succeeded, textOf } from '#app/lib/form-state.ts';

/** Adds an e-mail domain to the open workspace. */
export async function addDomain(before: FormState, form: FormData): Promise<FormState> {
  const domain = textOf(form, 'domain');
  try {
    await (await openScreens()).workspaces.addDomain({ domain });
  } catch (error) {
    return failed(before, error, { values: { domain }, fields: ['domain'] });
  }
  revalidatePath('/settings/workspace');
  return succeeded(before);
}
