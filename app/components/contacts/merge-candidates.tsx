'use client';

import { useQuery } from '@tanstack/react-query';
import type { MergeTarget } from '#app/components/contacts/merge-contact-button.tsx';
import { queryErrorMessage, useScreens } from '#app/components/live/screens-provider.tsx';
import { FieldError } from '#app/components/ui/field.tsx';
import { Skeleton } from '#app/components/ui/skeleton.tsx';
import { useDebounced } from '#app/components/ui/use-debounced.ts';
import { type ContactRow, contactLabel } from '#server/screens/contacts/views.ts';

/** Debounce of the search, in ms. */
const DEBOUNCE_MS = 250;
/** Maximum number of contacts to choose from. A longer search narrows them down. */
const CANDIDATES_MAX = 10;

type Props = {
  into: MergeTarget;
  search: string;
  chosen: ContactRow | null;
  onChoose: (contact: ContactRow) => void;
};

/** Radio list of contacts to merge. Without a search, suggests contacts with the same name. */
export function MergeCandidates({ into, search, chosen, onChoose }: Props) {
  const screens = useScreens();
  const debounced = useDebounced(search.trim(), DEBOUNCE_MS);
  const sought = debounced || (into.name ?? '');
  const { data, error } = useQuery({
    queryKey: ['contacts.list', { search: sought }],
    queryFn: ({ signal }) => screens.contacts.list.query({ search: sought }, { signal }),
  });
  if (error) return <FieldError>{queryErrorMessage(error)}</FieldError>;
  if (!data || debounced !== search.trim()) return <Searching />;
  const found = data.rows.filter(({ id }) => id !== into.id).slice(0, CANDIDATES_MAX);
  return (
    <fieldset className="grid min-w-0 gap-1.5">
      <legend className="mb-1.5 font-medium text-list">{legendOf(debounced, into)}</legend>
      {found.length === 0 ? (
        <p role="status" className="text-ink-soft text-list">
          {debounced ? 'No contact found. Try another word.' : 'No other contact. Search for one above.'}
        </p>
      ) : (
        <ul className="scroll-pane max-h-56 divide-y rounded-lg border">
          {found.map((contact) => (
            <li key={contact.id}>
              <label className="flex min-h-11 cursor-pointer items-center gap-3 px-3 py-2 text-list hover:bg-hover has-checked:bg-accent-soft">
                <input
                  type="radio"
                  name="from"
                  checked={chosen?.id === contact.id}
                  onChange={() => onChoose(contact)}
                  className="size-4 shrink-0 accent-accent"
                />
                <span className="grid min-w-0 grow gap-0.5">
                  <bdi className="truncate font-medium">{contactLabel(contact)}</bdi>
                  <span className="truncate text-ink-soft text-xs">{describe(contact)}</span>
                </span>
              </label>
            </li>
          ))}
        </ul>
      )}
    </fieldset>
  );
}

function legendOf(search: string, { name }: MergeTarget): string {
  if (search) return 'Results';
  return name === null ? 'Newest contacts' : 'Similar names';
}

function describe({ email, phone, companyName }: ContactRow): string {
  return [email, phone, companyName].filter(Boolean).join(' · ') || 'No details';
}

function Searching() {
  return (
    <div role="status" className="grid gap-3 py-2">
      <span className="sr-only">Searching contacts</span>
      <Skeleton className="w-2/3" />
      <Skeleton className="w-1/2" />
      <Skeleton className="w-3/5" />
    </div>
  );
}
