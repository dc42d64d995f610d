'use server';

import { openScreens } from '#app/data/open-screens.ts';
import { refusalSentence } from '#app/lib/refusal-sentence.ts';
import type { ThreadPage } from '#server/conversations/views.ts';

/** What stands in a conversation before what is shown, or a sentence when it could not be read. */
export async function showEarlier(id: string, before: string): Promise<ThreadPage | { problem: string }> {
  try {
    return await (await openScreens()).inbox.earlier({ id, before });
  } catch (error) {
    return { problem: refusalSentence(error) };
  }
}
