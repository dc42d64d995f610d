'use server';

import { revalidatePath } from 'next/cache';
import { openScreens } from '#app/data/open-screens.ts';
import { type FormState, failed, succeeded, textOf } from '#app/lib/form-state.ts';

/** Renames a mailbox of the open workspace. */
export async function saveMailboxName(
  mailboxId: string,
  before: FormState,
  form: FormData,
): Promise<FormState> {
  const name = textOf(form, 'name');
  try {
    await (await openScreens()).workspaces.renameMailbox({ mailboxId, name });
  } catch (error) {
    return failed(before, error, { values: { name }, fields: ['name'] });
  }
  revalidatePath('/settings/workspace');
  return succeeded(before);
}
