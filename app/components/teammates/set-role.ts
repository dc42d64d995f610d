'use server';

import { revalidatePath } from 'next/cache';
import { openScreens } from '#app/data/open-screens.ts';
import { errorMessage } from '#app/lib/error-message.ts';
import type { TeammateRow } from '#server/people/teammates/views.ts';

/** Gives a teammate of the open workspace another role; answers a sentence when it was refused, else null. */
export async function setRole(userId: string, role: TeammateRow['role']): Promise<string | null> {
  try {
    await (await openScreens()).teammates.setRole({ userId, role });
  } catch (error) {
    return errorMessage(error);
  }
  revalidatePath('/settings/teammates');
  return null;
}
