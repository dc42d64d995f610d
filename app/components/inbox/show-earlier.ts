'use server';

import { openScreens } from '#app/data/open-screens.ts';
import { errorMessage } from '#app/lib/error-message.ts';
import type { ThreadPage } from '#server/inbox/conversations/views.ts';

/** What stands in a conversation before what is shown, or a sentence when it could not be read. */
export async function showEarlier(id: string, before: string): Promise<ThreadPage | { problem: string }> {
  try {
    return await (await openScreens()).inbox.earlier({ id, before });
  } catch (error) {
    return { problem: errorMessage(error) };
  }
}
