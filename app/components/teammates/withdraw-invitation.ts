'use server';

import { revalidatePath } from 'next/cache';
import { openScreens } from '#app/data/open-screens.ts';
import { errorMessage } from '#app/lib/error-message.ts';

/** Withdraws an invitation of the open workspace; answers a sentence when it was refused, else null. */
export async function withdrawInvitation(invitationId: string): Promise<string | null> {
  try {
    await (await openScreens()).invitations.withdraw({ invitationId });
  } catch (error) {
    return errorMessage(error);
  }
  revalidatePath('/settings/teammates');
  return null;
}
