'use server';

import { revalidatePath } from 'next/cache';
import { openScreens } from '#app/data/open-screens.ts';
import { plainSentence } from '#app/lib/plain-sentence.ts';

/** Adds tags to a conversation of the open workspace; answers a sentence when they were refused, else null. */
export async function addTags(id: string, tags: string[]): Promise<string | null> {
  try {
    await (await openScreens()).inbox.addTags({ id, tags });
  } catch (error) {
    return plainSentence(error);
  }
  revalidatePath('/inbox');
  return null;
}

/** Takes tags away; answers a sentence when that was refused, else null. */
export async function removeTags(id: string, tags: string[]): Promise<string | null> {
  try {
    await (await openScreens()).inbox.removeTags({ id, tags });
  } catch (error) {
    return plainSentence(error);
  }
  revalidatePath('/inbox');
  return null;
}

/** The tags in use in the open workspace, for suggestions; none when they could not be read. */
export async function knownTags(): Promise<string[]> {
  try {
    return await (await openScreens()).inbox.tags();
  } catch {
    return [];
  }
}
