'use client';

import { useQuery } from '@tanstack/react-query';
import { readProblem, useScreens } from '#app/components/live/screens-provider.tsx';
import { useRested } from '#app/components/ui/use-rested.ts';
import type { OfferedMerge } from '#server/screens/inbox/views.ts';

/** Conversations are looked for once typing has rested for so long, in milliseconds. */
const PAUSE_MS = 250;

/** What was found, or why not; null while it is looked for. */
export type FoundChoices = OfferedMerge[] | { problem: string } | null;

/**
 * What a conversation can be merged into, looked for while typing: what a search finds, or without one the other
 * conversations of the same contact. Each says why it cannot be chosen, if so.
 */
export function useMergeChoices(id: string, search: string): FoundChoices {
  const screens = useScreens();
  const rested = useRested(search, PAUSE_MS);
  const { data, error } = useQuery({
    queryKey: ['conversations.mergeChoices', { id, search: rested }],
    queryFn: async ({ signal }): Promise<OfferedMerge[]> => {
      const found =
        rested.trim() === ''
          ? await screens.conversations.mergeChoices.query({ id }, { signal })
          : (await screens.inbox.list.query({ search: rested }, { signal })).rows.filter(
              (row) => row.id !== id,
            );
      const intoIds = found.map((each) => each.id);
      const problems = await screens.conversations.mergeProblems.query({ id, intoIds }, { signal });
      return found.map((each) => ({ ...each, problem: problems[each.id] ?? null }));
    },
  });
  if (rested !== search) return null;
  if (error) return { problem: readProblem(error) };
  return data ?? null;
}
