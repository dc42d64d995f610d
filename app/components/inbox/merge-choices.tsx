'use client';

import { useQuery } from '@tanstack/react-query';
import { ConversationChoice } from '#app/components/conversations/conversation-choice.tsx';
import { queryErrorMessage } from '#app/components/live/page-data.ts';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { type Found, RadioList } from '#app/components/ui/radio-list.tsx';
import { useDebounced } from '#app/components/ui/use-debounced.ts';
import type { OfferedMerge } from '#server/screens/inbox/views.ts';

type Props = {
  legend: string;
  choices: Found<OfferedMerge>;
  chosen: OfferedMerge | null;
  onChoose: (choice: OfferedMerge) => void;
};

/** Radio list of merge targets. */
export function MergeChoices({ legend, choices, chosen, onChoose }: Props) {
  return (
    <RadioList
      legend={legend}
      found={choices}
      searching="Searching conversations"
      empty={
        legend === 'Results'
          ? 'No matches. Try a name, an address or another word.'
          : 'This contact has no other conversation. Search for one above.'
      }
      chosenId={chosen?.id}
      onChoose={onChoose}
      problemOf={({ problem }) => problem}
    >
      {(row) => <ConversationChoice {...row} />}
    </RadioList>
  );
}

/** Debounce of the search, in ms. */
const DEBOUNCE_MS = 250;

/**
 * Searches merge targets while typing. Without a search, returns the contact's other conversations. Each result
 * states why it cannot be chosen, if so.
 */
export function useMergeChoices(id: string, search: string): Found<OfferedMerge> {
  const screens = useScreens();
  const debounced = useDebounced(search, DEBOUNCE_MS);
  const { data, error } = useQuery({
    queryKey: ['conversations.mergeChoices', { id, search: debounced }],
    queryFn: async ({ signal }): Promise<OfferedMerge[]> => {
      const found =
        debounced.trim() === ''
          ? await screens.conversations.mergeChoices.query({ id }, { signal })
          : (await screens.inbox.list.query({ search: debounced }, { signal })).rows.filter(
              (row) => row.id !== id,
            );
      const intoIds = found.map((each) => each.id);
      const problems = await screens.conversations.mergeProblems.query({ id, intoIds }, { signal });
      return found.map((each) => ({ ...each, problem: problems[each.id] ?? null }));
    },
  });
  if (debounced !== search) return null;
  if (error) return { problem: queryErrorMessage(error) };
  return data ?? null;
}
