'use client';

import { useQuery } from '@tanstack/react-query';
import type { MergeTarget } from '#app/components/contacts/merge-contact-button.tsx';
import { queryErrorMessage } from '#app/components/live/page-data.ts';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { type Found, RadioList } from '#app/components/ui/radio-list.tsx';
import { useDebounced } from '#app/components/ui/use-debounced.ts';
import { addressOf } from '#app/lib/address-of.ts';
import { type ContactRow, contactLabel } from '#server/screens/contacts/views.ts';

/** Debounce of the search, in ms. */
const DEBOUNCE_MS = 250;
/** Maximum number of contacts to choose from. A longer search narrows them down. */
const CANDIDATES_MAX = 10;

type Props = {
  into: MergeTarget;
  search: string;
  /** The only candidate without a search. */
  suggested: ContactRow | null;
  chosen: ContactRow | null;
  onChoose: (contact: ContactRow) => void;
};

/** Radio list of contacts to merge. Without a search, suggests contacts with the same name. */
export function MergeCandidates({ into, search, suggested, chosen, onChoose }: Props) {
  const screens = useScreens();
  const debounced = useDebounced(search.trim(), DEBOUNCE_MS);
  const sought = debounced || (into.name ?? '');
  const { data, error } = useQuery({
    queryKey: ['contacts.list', { search: sought }],
    queryFn: ({ signal }) => screens.contacts.list.query({ search: sought }, { signal }),
  });
  return (
    <RadioList
      legend={search.trim() === '' && suggested ? 'Same phone number' : legendOf(debounced, into)}
      found={foundRows()}
      searching="Searching contacts"
      empty={debounced ? 'No contact found. Try another word.' : 'No other contact. Search for one above.'}
      chosenId={chosen?.id}
      onChoose={onChoose}
    >
      {(contact) => (
        <span className="grid min-w-0 grow gap-0.5">
          <bdi className="truncate font-medium">{contactLabel(contact)}</bdi>
          <span className="truncate text-ink-soft text-xs">{describe(contact)}</span>
        </span>
      )}
    </RadioList>
  );

  function foundRows(): Found<ContactRow> {
    if (search.trim() === '' && suggested) return [suggested];
    if (error) return { problem: queryErrorMessage(error) };
    if (!data || debounced !== search.trim()) return null;
    return data.rows.filter(({ id }) => id !== into.id).slice(0, CANDIDATES_MAX);
  }
}

function legendOf(search: string, { name }: MergeTarget): string {
  if (search) return 'Results';
  return name === null ? 'Newest contacts' : 'Similar names';
}

function describe({ phone, companyName, ...contact }: ContactRow): string {
  return [addressOf(contact), phone, companyName].filter(Boolean).join(' · ') || 'No details';
}
