'use server';

import { revalidatePath } from 'next/cache';
import { openScreens } from '#app/data/open-screens.ts';
import { plainSentence } from '#app/lib/plain-sentence.ts';

/** Merges a conversation of the open workspace into another one; answers a sentence when it was refused, else null. */
export async function mergeConversation(id: string, intoId: string): Promise<string | null> {
  try {
    await (await openScreens()).inbox.merge({ id, intoId });
  } catch (error) {
    return plainSentence(error);
  }
  revalidatePath('/inbox');
  return null;
}
