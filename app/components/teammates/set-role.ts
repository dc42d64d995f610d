'use server';

import { revalidatePath } from 'next/cache';
import { openScreens } from '#app/data/open-screens.ts';
import { refusalSentence } from '#app/lib/refusal-sentence.ts';
import type { TeammateRow } from '#server/teammates/views.ts';

/** Gives a teammate of the open workspace another role; answers a sentence when it was refused, else null. */
export async function setRole(userId: string, role: TeammateRow['role']): Promise<string | null> {
  try {
    await (await openScreens()).teammates.setRole({ userId, role });
  } catch (error) {
    return refusalSentence(error);
  }
  revalidatePath('/settings/teammates');
  return null;
}
