'use server';

import { revalidatePath } from 'next/cache';
import { openScreens } from '#app/data/open-screens.ts';
import { refusalSentence } from '#app/lib/refusal-sentence.ts';

/** Removes a teammate from the open workspace; answers a sentence when it was refused, else null. */
export async function removeTeammate(userId: string): Promise<string | null> {
  try {
    await (await openScreens()).teammates.remove({ userId });
  } catch (error) {
    return refusalSentence(error);
  }
  revalidatePath('/settings/teammates');
  return null;
}
