'use server';

import { revalidatePath } from 'next/cache';
import { openScreens } from '#app/data/open-screens.ts';
import { plainSentence } from '#app/lib/plain-sentence.ts';
import type { ConversationStatus, Priority } from '#server/inbox/conversations/views.ts';

/** What is to change of a conversation; null takes the assignee or the team away. */
export type ConversationChanges = {
  status?: ConversationStatus;
  priority?: Priority;
  assigneeId?: string | null;
  teamId?: string | null;
};

/** Changes a conversation of the open workspace; answers a sentence when it was refused, else null. */
export async function updateConversation(id: string, changes: ConversationChanges): Promise<string | null> {
  try {
    await (await openScreens()).inbox.update({ id, changes });
  } catch (error) {
    return plainSentence(error);
  }
  revalidatePath('/inbox');
  return null;
}
