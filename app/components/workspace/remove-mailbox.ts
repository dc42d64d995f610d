'use server';

import { revalidatePath } from 'next/cache';
import { openScreens } from '#app/data/open-screens.ts';
import { errorMessage } from '#app/lib/error-message.ts';

/** Removes a mailbox of the open workspace; answers a sentence when it was refused, else null. */
export async function removeMailbox(mailboxId: string): Promise<string | null> {
  try {
    await (await openScreens()).workspaces.removeMailbox({ mailboxId });
  } catch (error) {
    return errorMessage(error);
  }
  revalidatePath('/settings/workspace');
  return null;
}
