'use client';

import { useQuery } from '@tanstack/react-query';
import { AddressNotVerified } from '#app/components/conversations/address-not-verified.tsx';
import { ChannelIcon } from '#app/components/conversations/channel-icon.tsx';
import { ConversationStatusDot } from '#app/components/conversations/conversation-status-dot.tsx';
import { queryErrorMessage, useScreens } from '#app/components/live/screens-provider.tsx';
import { FieldError } from '#app/components/ui/field.tsx';
import { RelativeTime } from '#app/components/ui/relative-time.tsx';
import { Skeleton } from '#app/components/ui/skeleton.tsx';
import { useDebounced } from '#app/components/ui/use-debounced.ts';
import type { OfferedMerge } from '#server/screens/inbox/views.ts';

type Props = {
  legend: string;
  choices: FoundChoices;
  chosen: OfferedMerge | null;
  onChoose: (choice: OfferedMerge) => void;
};

/** Radio list of merge targets. */
export function MergeChoices({ legend, choices, chosen, onChoose }: Props) {
  if (choices === null) {
    return (
      <div role="status" className="grid gap-3 py-2">
        <span className="sr-only">Searching conversations</span>
        <Skeleton className="w-2/3" />
        <Skeleton className="w-1/2" />
        <Skeleton className="w-3/5" />
      </div>
    );
  }
  if ('problem' in choices) return <FieldError>{choices.problem}</FieldError>;
  return (
    <fieldset className="grid min-w-0 gap-1.5">
      <legend className="mb-1.5 font-medium text-list">{legend}</legend>
      {choices.length === 0 ? (
        <p role="status" className="text-ink-soft text-list">
          {legend === 'Results'
            ? 'No matches. Try a name, an address or another word.'
            : 'This contact has no other conversation. Search for one above.'}
        </p>
      ) : (
        <ul className="scroll-pane max-h-64 divide-y rounded-lg border">
          {choices.map((choice) => (
            <li key={choice.id}>
              <label className="flex min-h-11 cursor-pointer items-center gap-3 px-3 py-2 text-list hover:bg-hover has-checked:bg-accent-soft has-aria-disabled:cursor-default has-aria-disabled:hover:bg-transparent">
                <input
                  type="radio"
                  name="into"
                  checked={chosen?.id === choice.id}
                  // Not `disabled`, so that keyboard users reach the reason.
                  aria-disabled={choice.problem !== null}
                  onChange={() => choice.problem === null && onChoose(choice)}
                  className="size-4 shrink-0 accent-accent"
                />
                <span className="grid min-w-0 grow gap-0.5">
                  <bdi className="truncate font-medium">
                    {choice.subject ?? choice.contactName ?? 'Unknown contact'}
                  </bdi>
                  <span className="flex items-center gap-2 text-ink-soft text-xs">
                    <ChannelIcon channel={choice.channel} />
                    <ConversationStatusDot status={choice.status} />
                    <span className="min-w-0 truncate">{choice.contactName}</span>
                    {choice.contactClaimed ? (
                      <span className="flex shrink-0">
                        <AddressNotVerified />
                      </span>
                    ) : null}
                  </span>
                  {choice.problem ? <span className="text-ink-soft text-xs">{choice.problem}</span> : null}
                </span>
                <RelativeTime
                  at={choice.lastMessageAt}
                  style="lists"
                  className="shrink-0 text-ink-soft text-xs"
                />
              </label>
            </li>
          ))}
        </ul>
      )}
    </fieldset>
  );
}

/** Debounce of the search, in ms. */
const DEBOUNCE_MS = 250;

/** Search results or an error. Null while searching. */
type FoundChoices = OfferedMerge[] | { problem: string } | null;

/**
 * Searches merge targets while typing. Without a search, returns the contact's other conversations. Each result
 * states why it cannot be chosen, if so.
 */
export function useMergeChoices(id: string, search: string): FoundChoices {
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
