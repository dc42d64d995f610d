'use server';

import { openScreens } from '#app/data/open-screens.ts';
import { errorMessage } from '#app/lib/error-message.ts';
import type { OfferedMerge } from '#server/inbox/conversations/views.ts';

/**
 * What a conversation can be merged into: what a search finds, or without one the other conversations of the same
 * contact, each with why it cannot be chosen; or a sentence when that could not be found out.
 */
export async function findMergeChoices(
  id: string,
  search: string,
): Promise<OfferedMerge[] | { problem: string }> {
  try {
    const screens = await openScreens();
    const found =
      search.trim() === ''
        ? await screens.inbox.mergeChoices({ id })
        : (await screens.conversations.list({ search })).rows.filter((row) => row.id !== id);
    const problems = await screens.inbox.mergeProblems({ id, intoIds: found.map((each) => each.id) });
    return found.map((each) => ({ ...each, problem: problems[each.id] ?? null }));
  } catch (error) {
    return { problem: errorMessage(error) };
  }
}
