'use server';

import { openScreens } from '#app/data/open-screens.ts';
import { errorMessage } from '#app/lib/error-message.ts';
import type { MergeChoice } from '#server/inbox/conversations/views.ts';

/**
 * What a conversation can be merged into: what a search finds, or without one the other conversations of the same
 * contact; or a sentence when that could not be found out.
 */
export async function findMergeChoices(
  id: string,
  search: string,
): Promise<MergeChoice[] | { problem: string }> {
  try {
    const screens = await openScreens();
    if (search.trim() === '') return await screens.inbox.mergeChoices({ id });
    const { rows } = await screens.conversations.list({ search });
    return rows.filter((row) => row.id !== id);
  } catch (error) {
    return { problem: errorMessage(error) };
  }
}
