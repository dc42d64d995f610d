'use server';

import { revalidatePath } from 'next/cache';
import { openScreens } from '#app/data/open-screens.ts';
import { errorMessage } from '#app/lib/error-message.ts';

/** Removes a teammate from the open workspace; answers a sentence when it was refused, else null. */
export async function removeTeammate(userId: string): Promise<string | null> {
  try {
    await (await openScreens()).teammates.remove({ userId });
  } catch (error) {
    return errorMessage(error);
  }
  revalidatePath('/settings/teammates');
  return null;
}
