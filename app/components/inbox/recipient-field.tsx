'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { Combobox } from '#app/components/ui/combobox.tsx';
import { Field } from '#app/components/ui/field.tsx';
import { useRested } from '#app/components/ui/use-rested.ts';

/** Contacts are looked for once typing has rested for so long, in milliseconds. */
const PAUSE_MS = 200;
/** So many are offered at once. */
const OFFERED_MAX = 6;

type Recipient = { email: string; name: string };
type Props = { to: Recipient; onTo: (to: Recipient) => void; problem: string | undefined };

/** The address to write to, with contacts whom what was typed fits. */
export function RecipientField({ to, onTo, problem }: Props) {
  const { email } = to;
  const screens = useScreens();
  const search = useRested(email, PAUSE_MS);
  const isAsked = search.trim() !== '';
  const { data } = useQuery({
    queryKey: ['contacts.list', { search }],
    queryFn: ({ signal }) => screens.contacts.list.query({ search }, { signal }),
    enabled: isAsked,
    placeholderData: keepPreviousData,
  });
  const withEmail =
    isAsked && data ? data.rows.flatMap(({ email, name }) => (email ? [{ email, name }] : [])) : [];
  const found = withEmail.slice(0, OFFERED_MAX);
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
