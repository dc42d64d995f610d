'use server';

import { revalidatePath } from 'next/cache';
import { openScreens } from '#app/data/open-screens.ts';
import { errorMessage } from '#app/lib/error-message.ts';

/** Makes a mailbox of the open workspace its default; answers a sentence when it was refused, else null. */
export async function chooseDefaultMailbox(mailboxId: string): Promise<string | null> {
  try {
    await (await openScreens()).workspaces.chooseDefaultMailbox({ mailboxId });
  } catch (error) {
    return errorMessage(error);
  }
  revalidatePath('/settings/workspace');
  return null;
}
