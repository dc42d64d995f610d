'use client';

import { useQuery } from '@tanstack/react-query';
import { AddressNotVerified } from '#app/components/conversations/address-not-verified.tsx';
import { ChannelIcon } from '#app/components/conversations/channel-icon.tsx';
import { ConversationStatusDot } from '#app/components/conversations/conversation-status-dot.tsx';
import { queryErrorMessage } from '#app/components/live/page-data.ts';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { type Found, RadioList } from '#app/components/ui/radio-list.tsx';
import { RelativeTime } from '#app/components/ui/relative-time.tsx';
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
      {({ subject, contactName, channel, status, contactClaimed, problem, lastMessageAt }) => (
        <>
          <span className="grid min-w-0 grow grid-cols-[minmax(0,1fr)] gap-0.5">
            <bdi className="truncate font-medium">{nameOf({ subject, contactName })}</bdi>
            <span className="flex items-center gap-2 pr-2 text-ink-soft text-xs">
              <ChannelIcon channel={channel} />
              <ConversationStatusDot status={status} />
              {subject === null ? null : <span className="min-w-0 truncate">{contactName}</span>}
              {contactClaimed ? (
                <span className="flex shrink-0">
                  <AddressNotVerified />
                </span>
              ) : null}
            </span>
            {problem ? <span className="text-ink-soft text-xs">{problem}</span> : null}
          </span>
          <RelativeTime at={lastMessageAt} style="lists" className="shrink-0 text-ink-soft text-xs" />
        </>
      )}
    </RadioList>
  );
}

export function nameOf({ subject, contactName }: Pick<OfferedMerge, 'subject' | 'contactName'>): string {
  return subject ?? contactName ?? 'Unknown contact';
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
