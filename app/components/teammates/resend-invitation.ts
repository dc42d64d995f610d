'use server';

import { revalidatePath } from 'next/cache';
import { openScreens } from '#app/data/open-screens.ts';
import { errorMessage } from '#app/lib/error-message.ts';

/** Sends an invitation of the open workspace again; answers a sentence when it was refused, else null. */
export async function resendInvitation(invitationId: string): Promise<string | null> {
  try {
    await (await openScreens()).invitations.resend({ invitationId });
  } catch (error) {
    return errorMessage(error);
  }
  revalidatePath('/settings/teammates');
  return null;
}
