'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { Combobox } from '#app/components/ui/combobox.tsx';
import { Field } from '#app/components/ui/field.tsx';
import { useDebounced } from '#app/components/ui/use-debounced.ts';

/** Debounce of the search, in ms. */
const DEBOUNCE_MS = 200;
const SUGGESTIONS_MAX = 6;

type Recipient = { email: string; name: string };
type Props = { to: Recipient; onTo: (to: Recipient) => void; problem: string | undefined };

/** Email address field with matching contacts as suggestions. */
export function RecipientField({ to, onTo, problem }: Props) {
  const { email } = to;
  const screens = useScreens();
  const search = useDebounced(email, DEBOUNCE_MS);
  const hasSearch = search.trim() !== '';
  const { data } = useQuery({
    queryKey: ['contacts.list', { search }],
    queryFn: ({ signal }) => screens.contacts.list.query({ search }, { signal }),
    enabled: hasSearch,
    placeholderData: keepPreviousData,
  });
  const withEmail =
    hasSearch && data ? data.rows.flatMap(({ email, name }) => (email ? [{ email, name }] : [])) : [];
  const found = withEmail.slice(0, SUGGESTIONS_MAX);
  const isChosen = found.some((contact) => contact.email === email);
  return (
    <Field label="To" problem={problem}>
      {({ id, describedBy, invalid }) => (
        <Combobox
          id={id}
          name="to_email"
          type="email"
          inputMode="email"
          spellCheck={false}
          placeholder="Email address or contact name"
          aria-describedby={describedBy}
          aria-invalid={invalid}
          value={email}
          onText={(text) => onTo({ ...to, email: text })}
          options={
            isChosen
              ? []
              : found.map((contact) => ({
                  key: contact.email,
                  label: contact.name ?? contact.email,
                  hint: contact.name ? contact.email : undefined,
                }))
          }
          optionsLabel="Contacts"
          onChoose={({ key }) =>
            onTo({ email: key, name: found.find((one) => one.email === key)?.name ?? '' })
          }
        />
      )}
    </Field>
  );
}
