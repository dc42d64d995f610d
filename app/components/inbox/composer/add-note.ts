'use server';

import { type Refused, refusedBy } from '#app/components/inbox/composer/answer-of.ts';
import { openScreens } from '#app/data/open-screens.ts';

/** Adds an internal note to a conversation; answers why not, or null. */
export async function addNote(note: { conversationId: string; content: string }): Promise<Refused | null> {
  try {
    await (await openScreens()).notes.add(note);
  } catch (error) {
    return refusedBy(error);
  }
  return null;
}
